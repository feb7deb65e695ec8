//! The numbers of attribute keys.

use std::ffi::c_int;

use super::constants::*;

/// Keys made at run time have this number or a higher one; the predefined ones are lower.
pub const FIRST_KEYVAL: u32 = 0x1000;

/// A key that the standard predefines (MPI 5.0, sections 9.1.2, 9.4, 11.10.1 and 11.10.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PredefinedKey {
    /// `MPI_TAG_UB`.
    TagUb,
    /// `MPI_IO`.
    Io,
    /// `MPI_HOST`.
    Host,
    /// `MPI_WTIME_IS_GLOBAL`.
    WtimeIsGlobal,
    /// `MPI_APPNUM`.
    AppNum,
    /// `MPI_LASTUSEDCODE`.
    LastUsedCode,
    /// `MPI_UNIVERSE_SIZE`.
    UniverseSize,
    /// A key of windows.
    OfWindows,
}

impl PredefinedKey {
    /// How many there are of communicators; `as usize` numbers them from 0.
    pub const OF_COMMS: usize = PredefinedKey::OfWindows as usize;
}

/// The key with this number.
#[inline]
pub fn predefined_key(keyval: c_int) -> Option<PredefinedKey> {
    Some(match keyval {
        MPI_TAG_UB => PredefinedKey::TagUb,
        MPI_IO => PredefinedKey::Io,
        MPI_HOST => PredefinedKey::Host,
        MPI_WTIME_IS_GLOBAL => PredefinedKey::WtimeIsGlobal,
        MPI_APPNUM => PredefinedKey::AppNum,
        MPI_LASTUSEDCODE => PredefinedKey::LastUsedCode,
        MPI_UNIVERSE_SIZE => PredefinedKey::UniverseSize,
        MPI_WIN_BASE | MPI_WIN_SIZE | MPI_WIN_DISP_UNIT | MPI_WIN_CREATE_FLAVOR | MPI_WIN_MODEL => {
            PredefinedKey::OfWindows
        }
        _ => return None,
    })
}
