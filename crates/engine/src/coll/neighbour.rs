//! Schedules of the neighbourhood collectives; MPI 5.0 section 8.6.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::coll::blocks::{Irregular, Varied, one_by_one};
use crate::engine::Engine;
use crate::objects::comm::Comm;
use crate::objects::schedule::{CollOp, Lengths, Neighbourhood, Region, Schedule, Typed};
use crate::objects::topology::Neighbours;

impl Comm {
    /// The neighbours of this process.
    #[inline]
    pub(crate) fn neighbours(&self) -> Result<&Neighbours> {
        match self.neighbours.get() {
            Some(neighbours) => Ok(neighbours),
            None => self.find_neighbours(),
        }
    }

    #[cold]
    fn find_neighbours(&self) -> Result<&Neighbours> {
        let topology = self.topology.as_deref().ok_or_else(|| {
            let name = self.shown_name();
            let text = format!("{name} has no topology; make one with MPI_Cart_create or a graph");
            Error::new(ErrorClass::Topology, text)
        })?;
        Ok(self.neighbours.get_or_init(|| Neighbours::of(topology, self.rank)))
    }

    /// From how many neighbours this process receives, and to how many it sends.
    pub fn degrees(&self) -> Result<(usize, usize)> {
        let Neighbours { sources, destinations, .. } = self.neighbours()?;
        Ok((sources.len(), destinations.len()))
    }
}

impl Engine {
    fn neighbourhood(
        &self,
        comm: &Rc<Comm>,
        (send_region, send): (Region, Lengths),
        (recv_region, recv): (Region, Lengths),
    ) -> Result<Schedule> {
        let coll_op = Neighbourhood { neighbours: comm.neighbours()?.clone(), send, recv };
        Ok(self.schedule(comm, send_region, recv_region, CollOp::Neighbourhood(coll_op)))
    }

    /// MPI 5.0 section 8.6.1.
    pub fn neighbour_allgather(
        &self,
        comm: &Rc<Comm>,
        send: Typed,
        recv: Typed,
    ) -> Result<Schedule> {
        self.bytes_of_blocks(&recv, comm.degrees()?.0)?;
        let from = (self.region(&send)?, Lengths::Same(send.count));
        self.neighbourhood(comm, from, (self.region(&recv)?, Lengths::Equal(recv.count)))
    }

    /// MPI 5.0 section 8.6.1.
    pub fn neighbour_allgatherv(
        &self,
        comm: &Rc<Comm>,
        send: Typed,
        recv: Irregular,
    ) -> Result<Schedule> {
        let recv = self.lay(recv)?;
        let from = (self.region(&send)?, Lengths::Same(self.elements(&send)?));
        self.neighbourhood(comm, from, (recv.region(), Lengths::BlockLayout(recv.blocks)))
    }

    /// MPI 5.0 section 8.6.2.
    pub fn neighbour_alltoall(
        &self,
        comm: &Rc<Comm>,
        send: Typed,
        recv: Typed,
    ) -> Result<Schedule> {
        let (sources, destinations) = comm.degrees()?;
        self.bytes_of_blocks(&send, destinations)?;
        self.bytes_of_blocks(&recv, sources)?;
        let from = (self.region(&send)?, Lengths::Equal(send.count));
        self.neighbourhood(comm, from, (self.region(&recv)?, Lengths::Equal(recv.count)))
    }

    /// MPI 5.0 section 8.6.2.
    pub fn neighbour_alltoallv(
        &self,
        comm: &Rc<Comm>,
        send: Irregular,
        recv: Irregular,
    ) -> Result<Schedule> {
        let (send, recv) = (self.lay(send)?, self.lay(recv)?);
        let from = (send.region(), Lengths::BlockLayout(send.blocks));
        self.neighbourhood(comm, from, (recv.region(), Lengths::BlockLayout(recv.blocks)))
    }

    /// MPI 5.0 section 8.6.2.
    pub fn neighbour_alltoallw(
        &self,
        comm: &Rc<Comm>,
        send: &Varied,
        recv: &Varied,
    ) -> Result<Schedule> {
        let (send, recv) = (self.buffers(send)?, self.buffers(recv)?);
        let (from, to) = (one_by_one(&send), one_by_one(&recv));
        let from = (Region::Blocks(send), Lengths::BlockLayout(from));
        self.neighbourhood(comm, from, (Region::Blocks(recv), Lengths::BlockLayout(to)))
    }
}
