//! The way to ranks on other nodes: their addresses, the fabric and the protocol `wire` over it.

pub(crate) mod address_vector;
pub(crate) mod business_card;
pub(crate) mod keep_alive;
pub(crate) mod net_clock;
pub(crate) mod network;
pub(crate) mod node_card;
pub(crate) mod open_fabric;
pub(crate) mod rma;
