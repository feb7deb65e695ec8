//! libfabric, if it is there: loaded at run time, asked what it offers.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ptr::{null, null_mut};

use dunlin_base::Result;

use super::abi::{
    Exports, FI_AV_TABLE, FI_EP_RDM, FI_MSG, FI_ORDER_SAS, FI_THREAD_DOMAIN, fi_info, version,
};
use super::provider::{MODES, MR_MODES, ProviderInfo, READS, WRITES};
use super::signals::keeping_signals;
use crate::failed;

/// What we are written against, and what the raw protocol of EFA came with.
const API: u32 = version(1, 17);
const API_DIRECT: u32 = version(2, 1);

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// Of which fabrics.
    pub of: Of,
    /// What they must be able to do with a peer's memory.
    pub rma: RmaCaps,
}

/// What a process does with a peer's memory. EFA, if asked for any of it, tells the bytes that it
/// reads and no more those of a message: so both is asked, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RmaCaps {
    /// Nothing.
    None,
    /// It reads.
    Reads,
    /// It reads and writes.
    ReadsAndWrites,
}

/// Some of the fabrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// EFA's raw protocol, which old libraries do not know.
    EfaDirect,
    /// All that send messages without connections.
    All,
}

/// The library. It is never unloaded: it keeps threads and handlers of its own.
#[derive(Clone, Copy)]
pub struct Library {
    /// Its functions.
    pub exports: Exports,
}

/// A version as people write it.
fn text(version: u32) -> String {
    format!("{}.{}", version >> 16, version & 0xffff)
}

/// The answers of one question, freed when dropped.
pub struct ProviderInfos {
    library: Library,
    first: *mut fi_info,
}

impl Library {
    /// Loads the file `name`.
    pub fn load(name: &str) -> Result<Library> {
        let absent = |why: String| {
            failed(format!(
                "libfabric is wanted for the network but `{name}` cannot be used: {why}; install \
                 version {} or later, name its file in DUNLIN_NET_LIBFABRIC, or use another \
                 DUNLIN_NET_FABRIC",
                text(API)
            ))
        };
        let file = CString::new(name).map_err(|_| absent("a strange name".into()))?;
        let flags = libc::RTLD_NOW | libc::RTLD_LOCAL;
        // SAFETY: loads a library by the user's choice; its constructors are trusted as it is.
        let handle = keeping_signals(|| unsafe { libc::dlopen(file.as_ptr(), flags) });
        if handle.is_null() {
            return Err(absent(last_error()));
        }
        let find = |name: &CStr| {
            // SAFETY: the handle is that of a loaded library, the name a string.
            let symbol = unsafe { libc::dlsym(handle, name.as_ptr()) };
            let lacks = || absent(format!("it has no function {}", name.to_string_lossy()));
            if symbol.is_null() { Err(lacks()) } else { Ok(symbol) }
        };
        #[allow(clippy::missing_transmute_annotations, reason = "`Exports` has the types")]
        // SAFETY: each symbol is the function of that name, whose type is written as in the
        // library's public headers.
        let exports = unsafe {
            Exports {
                fi_version: std::mem::transmute(find(c"fi_version")?),
                fi_getinfo: std::mem::transmute(find(c"fi_getinfo")?),
                fi_freeinfo: std::mem::transmute(find(c"fi_freeinfo")?),
                fi_dupinfo: std::mem::transmute(find(c"fi_dupinfo")?),
                fi_fabric: std::mem::transmute(find(c"fi_fabric")?),
                fi_strerror: std::mem::transmute(find(c"fi_strerror")?),
            }
        };
        let library = Library { exports };
        // An older one does not know the version that we ask for, and has nothing to offer.
        match library.version() >= API {
            true => Ok(library),
            false => Err(absent(format!("its version is {}", library.version_text()))),
        }
    }

    /// Its version as people write it.
    pub fn version_text(&self) -> String {
        text(self.version())
    }

    /// The version of its interface.
    pub fn version(&self) -> u32 {
        // SAFETY: takes nothing and returns a number.
        unsafe { (self.exports.fi_version)() }
    }

    /// What an error number means.
    pub fn says(&self, error: isize) -> String {
        // SAFETY: the library returns a string of its own for any number.
        let text = unsafe { (self.exports.fi_strerror)(error.unsigned_abs() as c_int) };
        // SAFETY: as above; it is not freed.
        let text = unsafe { text_of(text) };
        if text.is_empty() { format!("error {error}") } else { text }
    }

    /// Asks what it offers for this.
    pub fn ask(&self, query: Query) -> Result<ProviderInfos> {
        let (api, fabric) = match query.of {
            Of::EfaDirect if self.version() < API_DIRECT => return Ok(self.nothing()),
            Of::EfaDirect => (API_DIRECT, Some(c"efa-direct")),
            Of::All => (API, None),
        };
        let rma = match query.rma {
            RmaCaps::None => 0,
            RmaCaps::Reads => READS,
            RmaCaps::ReadsAndWrites => READS | WRITES,
        };
        self.ask_as(api, fabric, FI_MSG | rma)
    }

    fn nothing(&self) -> ProviderInfos {
        ProviderInfos { library: *self, first: null_mut() }
    }

    fn ask_as(&self, api: u32, fabric: Option<&CStr>, caps: u64) -> Result<ProviderInfos> {
        // SAFETY: of nothing it makes new hints with all their parts.
        let hints = unsafe { (self.exports.fi_dupinfo)(null()) };
        if hints.is_null() {
            return Err(failed("libfabric has no memory for a question".into()));
        }
        let hints = ProviderInfos { library: *self, first: hints };
        // SAFETY: the hints are ours alone, and the library has made all their parts.
        unsafe {
            let info = &mut *hints.first;
            info.caps = caps;
            info.mode = MODES;
            (*info.domain_attr).mr_mode = MR_MODES;
            (*info.domain_attr).threading = FI_THREAD_DOMAIN;
            (*info.domain_attr).av_type = FI_AV_TABLE;
            if let Some(fabric) = fabric {
                (*info.ep_attr).r#type = FI_EP_RDM;
                // Freed with the hints, by `free`.
                (*info.fabric_attr).name = libc::strdup(fabric.as_ptr());
            }
        }
        let mut first = null_mut();
        // Providers wake up when they are asked first.
        // SAFETY: the hints live for the call, which writes a list that `ProviderInfos` frees.
        let result = keeping_signals(|| unsafe {
            (self.exports.fi_getinfo)(api, null(), null(), 0, hints.first, &raw mut first)
        });
        let nothing = [-(libc::ENODATA as isize), -(libc::ENOSYS as isize)];
        match result as isize {
            0 => Ok(ProviderInfos { library: *self, first }),
            none if nothing.contains(&none) => Ok(self.nothing()),
            error => {
                Err(failed(format!("libfabric does not say what it offers: {}", self.says(error))))
            }
        }
    }
}

impl ProviderInfos {
    /// All of them, in the library's order.
    pub fn providers(&self) -> Vec<ProviderInfo> {
        let mut providers = Vec::new();
        let mut next = self.first;
        while !next.is_null() {
            // SAFETY: an element of the list that the library has made and we have not freed.
            let info = unsafe { &*next };
            // SAFETY: as above.
            providers.push(unsafe { read(info) });
            next = info.next;
        }
        providers
    }

    /// The `at`-th of them, to be opened; it lives as long as they do.
    pub fn info(&self, at: usize) -> *mut fi_info {
        let mut next = self.first;
        for _ in 0..at {
            // SAFETY: `at` is less than the number of elements that `providers` found.
            next = unsafe { (*next).next };
        }
        next
    }
}

impl Drop for ProviderInfos {
    fn drop(&mut self) {
        if !self.first.is_null() {
            // SAFETY: the list is the library's, and nobody else frees it.
            unsafe { (self.library.exports.fi_freeinfo)(self.first) };
        }
    }
}

/// What an element says.
///
/// # Safety
///
/// The library has made it.
unsafe fn read(info: &fi_info) -> ProviderInfo {
    // SAFETY: the library fills all parts of what it answers.
    unsafe {
        let (tx, rx, ep) = (&*info.tx_attr, &*info.rx_attr, &*info.ep_attr);
        let (domain, fabric) = (&*info.domain_attr, &*info.fabric_attr);
        ProviderInfo {
            provider: text_of(fabric.prov_name),
            fabric: text_of(fabric.name),
            domain: text_of(domain.name),
            endpoint: ep.r#type,
            caps: info.caps,
            mode: info.mode,
            mr_mode: domain.mr_mode,
            key_bytes: domain.mr_key_size,
            message_bytes_max: ep.max_msg_size,
            prefix_bytes: ep.msg_prefix_size,
            inject_bytes: tx.inject_size,
            sends: tx.size,
            receives: rx.size,
            ordered: tx.msg_order & FI_ORDER_SAS != 0,
            ip: ip_of(info.src_addr, info.src_addrlen),
            rma_bytes_max: if info.caps & READS == READS { ep.max_msg_size } else { 0 },
            writes: info.caps & WRITES == WRITES,
        }
    }
}

/// # Safety
///
/// `address` is null or points to `len` bytes; those of the sizes of IP socket addresses that begin
/// with such a family are one (the library's other formats begin otherwise).
unsafe fn ip_of(address: *const c_void, len: usize) -> Option<IpAddr> {
    if address.is_null() || len < size_of::<libc::sockaddr_in>() {
        return None;
    }
    // SAFETY: there are that many bytes, in memory that is aligned for any address.
    match i32::from(unsafe { (*address.cast::<libc::sockaddr>()).sa_family }) {
        libc::AF_INET if len == size_of::<libc::sockaddr_in>() => {
            // SAFETY: size and family say so.
            let bits = unsafe { (*address.cast::<libc::sockaddr_in>()).sin_addr.s_addr };
            Some(Ipv4Addr::from(u32::from_be(bits)).into())
        }
        libc::AF_INET6 if len == size_of::<libc::sockaddr_in6>() => {
            // SAFETY: size and family say so.
            let bytes = unsafe { (*address.cast::<libc::sockaddr_in6>()).sin6_addr.s6_addr };
            Some(Ipv6Addr::from(bytes).into())
        }
        _ => None,
    }
}

/// # Safety
///
/// `text` is null or a string.
unsafe fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller says so.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn last_error() -> String {
    // SAFETY: returns null or a string that lives until the next such call of this thread.
    unsafe { text_of(libc::dlerror()) }
}
