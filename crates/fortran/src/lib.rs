//! The Fortran entry points of MPI: `mpi_send_` and its kin convert their arguments and call the C
//! functions of `libmpi_abi.so`.
#![expect(non_camel_case_types, reason = "the names of MPI")]

mod abis;
mod attributes;
mod by_hand;
mod callbacks;
mod convert;
mod gfortran;
mod library;
mod removed;
mod sections;
mod sentinels;
mod special;

use abis::standard::integers;
