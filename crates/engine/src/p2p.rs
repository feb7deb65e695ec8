//! Point-to-point messages: matching them, the protocols that carry them, and the requests in
//! progress. Nothing here calls back into the program.

pub(crate) mod abandoned;
pub(crate) mod arrival;
pub(crate) mod awaited_acks;
pub(crate) mod cancel;
pub(crate) mod completed_receive;
pub(crate) mod cooperative_copy;
pub(crate) mod copy_choice;
pub(crate) mod copy_split;
pub(crate) mod eager_fragments;
pub(crate) mod eager_packet;
pub(crate) mod fragments;
pub(crate) mod inbound_transfer;
pub(crate) mod kept;
pub(crate) mod last_read;
pub(crate) mod loopback;
pub(crate) mod messages;
#[cfg(test)]
pub(crate) mod messages_tests;
pub(crate) mod node;
pub(crate) mod offers;
pub(crate) mod packet;
pub(crate) mod remote;
pub(crate) mod rendezvous;
pub(crate) mod request;
pub(crate) mod reuse_distance;
pub(crate) mod rma_reads;
pub(crate) mod sender_help;
#[cfg(test)]
pub(crate) mod simulated_jobs;
pub(crate) mod single_copy;
pub(crate) mod synchronous;
pub(crate) mod timed_fill;
pub(crate) mod transfers;
pub(crate) mod transport;
pub(crate) mod unexpected;
pub(crate) mod unreceived;
