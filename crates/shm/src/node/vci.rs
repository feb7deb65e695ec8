//! The virtual communication interfaces (VCIs) of a rank: each has rings, bounce buffers and a
//! record of its own in the segment, so that threads in different ones share nothing there.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::node::Node;

impl Node {
    /// The most VCIs of a rank of this node.
    pub fn vcis_max(&self) -> usize {
        self.layout.vcis()
    }

    /// Says how many VCIs this process uses; the first word stands.
    pub fn publish_vcis(&self, vcis: usize) {
        let cell = &self.processes[self.me].vcis;
        // Nothing goes with it. Only this process writes here.
        if cell.load(Ordering::Relaxed) == 0 {
            cell.store(vcis as u32, Ordering::Relaxed);
        }
    }

    /// How many VCIs `rank` uses; `None` until it has said so.
    pub fn vcis_of(&self, rank: usize) -> Option<usize> {
        let vcis = self.processes[rank].vcis.load(Ordering::Relaxed) as usize;
        (vcis > 0).then_some(vcis.min(self.vcis_max()))
    }

    /// This rank's place in the segment for another VCI.
    pub fn open_vci(&self, vci: usize) -> Node {
        let process = &self.processes[self.me];
        process.open_vcis.fetch_or(1 << vci, Ordering::Relaxed);
        Node {
            layout: self.segment.layout().of_vci(vci),
            records: self.segment.records_of(vci),
            connected: self.records.iter().map(|_| AtomicU32::new(0)).collect(),
            // Threads that wait there never sleep until they are woken.
            doorbell: None,
            helper_doorbell: Default::default(),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cell::Packet;
    use crate::node::tests::pair;

    #[test]
    fn packets_of_different_vcis_do_not_meet() {
        let (a, b) = pair();
        a.publish_vcis(3);
        a.publish_vcis(2);
        assert_eq!((b.vcis_of(0), b.vcis_of(1)), (Some(3), None));
        let open = |node: &'static super::Node, vci| &*Box::leak(Box::new(node.open_vci(vci)));
        let mut received: Vec<_> = [b, open(b, 1), open(b, 2)].map(|node| node.pair(0)).into();
        let mut sent: Vec<_> = [a, open(a, 1), open(a, 2)].map(|node| node.pair(1)).into();
        for (tag, vci) in [(5, 2), (6, 0), (7, 1)] {
            assert!(sent[vci].try_push(&Packet { tag, ..Packet::default() }, b"hello"));
        }
        for (tag, vci) in [(7, 1), (5, 2), (6, 0)] {
            let arrived = received[vci].peek().unwrap();
            assert_eq!(arrived.packet.tag, tag);
            received[vci].read(arrived, &mut [0; 5]);
            assert!(received[vci].peek().is_none());
        }
        assert!(a.open_vci(2).can_read(1) && b.open_vci(1).can_read(0));
    }
}
