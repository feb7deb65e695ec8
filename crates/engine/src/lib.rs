//! (being written)
pub mod matching;
