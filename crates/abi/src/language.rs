//! Handles as integers for other languages (MPI 5.0, section 19.3). Every handle fits in an `int`,
//! so these functions are the identity.

use crate::standard::handles::Handle;
use crate::standard::types::*;
use std::ffi::c_int;

entry! {
    fn MPI_Comm_toint(comm: MPI_Comm) -> c_int {
        comm.bits() as c_int
    }

    fn MPI_Comm_fromint(comm: c_int) -> MPI_Comm {
        MPI_Comm::from_bits(comm as u32 as usize)
    }

    fn MPI_Errhandler_toint(errhandler: MPI_Errhandler) -> c_int {
        errhandler.bits() as c_int
    }

    fn MPI_Errhandler_fromint(errhandler: c_int) -> MPI_Errhandler {
        MPI_Errhandler::from_bits(errhandler as u32 as usize)
    }

    fn MPI_File_toint(file: MPI_File) -> c_int {
        file.bits() as c_int
    }

    fn MPI_File_fromint(file: c_int) -> MPI_File {
        MPI_File::from_bits(file as u32 as usize)
    }

    fn MPI_Group_toint(group: MPI_Group) -> c_int {
        group.bits() as c_int
    }

    fn MPI_Group_fromint(group: c_int) -> MPI_Group {
        MPI_Group::from_bits(group as u32 as usize)
    }

    fn MPI_Info_toint(info: MPI_Info) -> c_int {
        info.bits() as c_int
    }

    fn MPI_Info_fromint(info: c_int) -> MPI_Info {
        MPI_Info::from_bits(info as u32 as usize)
    }

    fn MPI_Message_toint(message: MPI_Message) -> c_int {
        message.bits() as c_int
    }

    fn MPI_Message_fromint(message: c_int) -> MPI_Message {
        MPI_Message::from_bits(message as u32 as usize)
    }

    fn MPI_Op_toint(op: MPI_Op) -> c_int {
        op.bits() as c_int
    }

    fn MPI_Op_fromint(op: c_int) -> MPI_Op {
        MPI_Op::from_bits(op as u32 as usize)
    }

    fn MPI_Request_toint(request: MPI_Request) -> c_int {
        request.bits() as c_int
    }

    fn MPI_Request_fromint(request: c_int) -> MPI_Request {
        MPI_Request::from_bits(request as u32 as usize)
    }

    fn MPI_Session_toint(session: MPI_Session) -> c_int {
        session.bits() as c_int
    }

    fn MPI_Session_fromint(session: c_int) -> MPI_Session {
        MPI_Session::from_bits(session as u32 as usize)
    }

    fn MPI_Type_toint(datatype: MPI_Datatype) -> c_int {
        datatype.bits() as c_int
    }

    fn MPI_Type_fromint(datatype: c_int) -> MPI_Datatype {
        MPI_Datatype::from_bits(datatype as u32 as usize)
    }

    fn MPI_Win_toint(win: MPI_Win) -> c_int {
        win.bits() as c_int
    }

    fn MPI_Win_fromint(win: c_int) -> MPI_Win {
        MPI_Win::from_bits(win as u32 as usize)
    }
}
