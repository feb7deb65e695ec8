//! An open endpoint of libfabric with its completion queue, address vector and memory: every call
//! we make of it, behind faces that keep its rules. What they are told apart by is a number: slots
//! of memory from 0 on, first those for sending, then those for receiving, then reads and writes of
//! peers' memory, which have no memory here.

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use dunlin_base::Result;

use super::abi::{
    FI_ADDR_UNSPEC, FI_AV_TABLE, FI_COMPLETION, FI_CQ_FORMAT_MSG, FI_DELIVERY_COMPLETE, FI_EAGAIN,
    FI_EAVAIL, FI_ENABLE, FI_MR_ENDPOINT, FI_MR_LOCAL, FI_MR_PROV_KEY, FI_MR_VIRT_ADDR, FI_READ,
    FI_RECV, FI_REMOTE_READ, FI_REMOTE_WRITE, FI_SEND, FI_TRANSMIT, FI_WAIT_NONE, FI_WRITE,
    fi_av_attr, fi_context2, fi_cq_attr, fi_cq_err_entry, fi_cq_msg_entry, fi_info, fi_msg_rma,
    fi_rma_iov, fid, fid_av, fid_cq, fid_domain, fid_ep, fid_fabric,
};
use super::library::Library;
use super::memory::Registration;
use super::provider::{ProviderInfo, Slots};
use super::transfer::Transfer;
use crate::{Access, RemoteKey, failed};

/// Completions taken in one call.
pub const COMPLETIONS: usize = 16;
/// Slots begin at cache lines.
const LINE_BYTES: usize = 64;

/// A slot with which the library has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Which.
    pub slot: usize,
    /// Bytes that were received, with the prefix.
    pub len: usize,
    /// What went wrong; 0: nothing.
    pub error: c_int,
}

/// The endpoint.
pub struct Endpoint {
    library: Library,
    fabric: *mut fid_fabric,
    domain: *mut fid_domain,
    av: *mut fid_av,
    cq: *mut fid_cq,
    ep: *mut fid_ep,
    /// Of our own memory, where the provider wants that.
    registration: Option<Registration>,
    /// What the provider asks about memory.
    mr_mode: c_int,
    /// The key of the next registration, where the provider leaves it to us ([`first_key`]).
    pub next_key: u64,
    slots: Slots,
    stride: usize,
    /// `slots` times `stride` bytes; the library reads and writes those it was given.
    memory: Shared<Line>,
    /// One for each slot, with its address the library names the slot.
    contexts: Shared<fi_context2>,
}

/// Arrays of zeros, so that the system gives pages that cost nothing until they are used.
type Line = [u8; LINE_BYTES];

/// Memory that the library uses beside us, so that no reference may claim all of it.
struct Shared<T>(*mut [T]);

impl<T: Clone> Shared<T> {
    fn new(value: T, count: usize) -> Shared<T> {
        Shared(Box::into_raw(vec![value; count].into_boxed_slice()))
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        // SAFETY: it was a box, and whoever used it has been closed.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

// SAFETY: the objects behind the pointers are this endpoint's alone and bound to no thread: the
// domain was opened so that one thread at a time may use it, which `&mut` ensures.
unsafe impl Send for Endpoint {}

impl Endpoint {
    /// Opens what `info`, read as `provider`, describes.
    pub fn open(
        library: Library,
        info: *mut fi_info,
        provider: &ProviderInfo,
        slots: Slots,
    ) -> Result<Endpoint> {
        let stride = slots.bytes.next_multiple_of(LINE_BYTES);
        let count = slots.sends + slots.receives;
        let none = fi_context2 { internal: [null_mut(); 8] };
        let mut this = Endpoint {
            library,
            fabric: null_mut(),
            domain: null_mut(),
            av: null_mut(),
            cq: null_mut(),
            ep: null_mut(),
            registration: None,
            mr_mode: provider.mr_mode,
            next_key: first_key(provider.key_bytes),
            slots,
            stride,
            memory: Shared::new([0; LINE_BYTES], count * stride / LINE_BYTES),
            contexts: Shared::new(none, count + slots.rma),
        };
        // SAFETY: `info` is an answer of the library that lives during this call.
        unsafe { this.open_objects(info)? };
        this.register_slots()?;
        Ok(this)
    }

    /// # Safety
    ///
    /// `info` is an answer of the library.
    unsafe fn open_objects(&mut self, info: *mut fi_info) -> Result<()> {
        let queue = self.contexts.0.len();
        // Every table and object below is made by the library in the call before, and each call is
        // the one that its headers define for that object.
        // SAFETY: as above, and `info` is the caller's promise.
        unsafe {
            let attr = (*info).fabric_attr;
            let made = (self.library.exports.fi_fabric)(attr, &raw mut self.fabric, null_mut());
            self.check("fabric", made)?;
            let open = (*(*self.fabric).ops).domain;
            let made = open(self.fabric, info, &raw mut self.domain, null_mut());
            self.check("domain", made)?;
            let domain = &*(*self.domain).ops;
            let mut av = fi_av_attr {
                r#type: FI_AV_TABLE,
                rx_ctx_bits: 0,
                count: 0,
                ep_per_node: 0,
                name: null(),
                map_addr: null_mut(),
                flags: 0,
            };
            let made = (domain.av_open)(self.domain, &raw mut av, &raw mut self.av, null_mut());
            self.check("address vector", made)?;
            // As long as all that can be under way: an overrun is not noticed everywhere.
            let mut cq = fi_cq_attr {
                size: queue,
                flags: 0,
                format: FI_CQ_FORMAT_MSG,
                wait_obj: FI_WAIT_NONE,
                signaling_vector: 0,
                wait_cond: 0,
                wait_set: null_mut(),
            };
            let made = (domain.cq_open)(self.domain, &raw mut cq, &raw mut self.cq, null_mut());
            self.check("completion queue", made)?;
            let made = (domain.endpoint)(self.domain, info, &raw mut self.ep, null_mut());
            self.check("endpoint", made)?;
            let ops = &*(*self.ep).fid.ops;
            let ep: *mut fid = self.ep.cast();
            let flags = FI_TRANSMIT | FI_RECV;
            self.check("completion queue", (ops.bind)(ep, self.cq.cast(), flags))?;
            self.check("address vector", (ops.bind)(ep, self.av.cast(), 0))?;
            self.check("endpoint", (ops.control)(ep, FI_ENABLE, null_mut()))
        }
    }

    /// Registers the slots, where the provider wants that. All of them at once and for good: there
    /// is nothing to remember from one packet to the next.
    fn register_slots(&mut self) -> Result<()> {
        if self.mr_mode & FI_MR_LOCAL == 0 {
            return Ok(());
        }
        let bytes = self.memory.0.len() * LINE_BYTES;
        let memory = std::ptr::slice_from_raw_parts(self.memory.0.cast(), bytes);
        // SAFETY: the memory lives until after the registration is closed.
        let made = unsafe { self.register_for(memory, FI_SEND | FI_RECV) };
        let limit = "; `ulimit -l` may be too low for it";
        self.registration = Some(made.map_err(|e| {
            failed(format!("{e}; it is asked to pin {bytes} bytes for packets{limit}"))
        })?);
        Ok(())
    }

    /// Registers memory for some kinds of access.
    ///
    /// # Safety
    ///
    /// The memory is there until the registration is dropped.
    unsafe fn register_for(&mut self, memory: *const [u8], access: u64) -> Result<Registration> {
        let key = self.next_key;
        self.next_key += 1;
        let (start, bytes, mut made) = (memory.cast(), memory.len(), null_mut());
        // SAFETY: the domain is open; the caller speaks for the memory.
        unsafe {
            let register = (*(*self.domain).mr).reg;
            let domain: *mut fid = self.domain.cast();
            let done = register(domain, start, bytes, access, 0, key, 0, &raw mut made, null_mut());
            self.check("memory", done)?;
            let registration = Registration(made);
            if self.mr_mode & FI_MR_ENDPOINT != 0 {
                let mr: *mut fid = made.cast();
                let ops = &*(*mr).ops;
                self.check("memory", (ops.bind)(mr, self.ep.cast(), 0))?;
                self.check("memory", (ops.control)(mr, FI_ENABLE, null_mut()))?;
            }
            Ok(registration)
        }
    }

    /// Lets peers reach `memory` as long as the registration is kept.
    ///
    /// # Safety
    ///
    /// It is there as long.
    pub unsafe fn register(
        &mut self,
        memory: *const [u8],
        access: Access,
    ) -> Result<(Registration, RemoteKey)> {
        let access = match access {
            Access::Read => FI_REMOTE_READ,
            Access::ReadWrite => FI_REMOTE_READ | FI_REMOTE_WRITE,
        };
        // SAFETY: the caller says so.
        let registration = unsafe { self.register_for(memory, access)? };
        let address = match self.mr_mode & FI_MR_VIRT_ADDR {
            0 => 0,
            _ => memory.cast::<u8>() as u64,
        };
        let key = match self.mr_mode & FI_MR_PROV_KEY {
            0 => self.next_key - 1,
            _ => registration.key(),
        };
        Ok((registration, RemoteKey { address, key }))
    }

    /// Makes memory fit for a transfer, where the provider wants that.
    ///
    /// # Safety
    ///
    /// It is there as long as the registration.
    pub unsafe fn prepare(&mut self, transfer: Transfer) -> Result<Option<Registration>> {
        if self.mr_mode & FI_MR_LOCAL == 0 {
            return Ok(None);
        }
        let access = match transfer {
            Transfer::Read(_) => FI_READ,
            Transfer::Write(_) => FI_WRITE,
        };
        // SAFETY: the caller says so.
        unsafe { self.register_for(transfer.memory(), access).map(Some) }
    }

    fn check(&self, what: &str, result: c_int) -> Result<()> {
        if result >= 0 {
            return Ok(());
        }
        let says = self.library.says(result as isize);
        Err(failed(format!("libfabric cannot set up its {what}: {says}")))
    }

    /// The endpoint's own address, at most `room` bytes of it.
    pub fn name(&self, room: usize) -> Result<Vec<u8>> {
        let (mut bytes, mut len) = (vec![0; room], room);
        // SAFETY: the endpoint is open, and the library writes at most `len` bytes.
        let got = unsafe {
            let getname = (*(*self.ep).cm).getname;
            getname(self.ep.cast(), bytes.as_mut_ptr().cast(), &raw mut len)
        };
        self.check("address", got)?;
        bytes.truncate(len);
        Ok(bytes)
    }

    /// Makes a peer with the address `bytes` known; its number. The address is as long as ours.
    pub fn insert(&mut self, bytes: &[u8]) -> Result<u64> {
        let mut peer = FI_ADDR_UNSPEC;
        let start: *const c_void = bytes.as_ptr().cast();
        // SAFETY: one address, of the length that all addresses of this provider have (the caller
        // compares with ours), is read, and one number written.
        let inserted = unsafe {
            let insert = (*(*self.av).ops).insert;
            insert(self.av, start, 1, &raw mut peer, 0, null_mut())
        };
        match inserted {
            1 => Ok(peer),
            error => Err(failed(format!(
                "libfabric does not take a peer's address: {}",
                self.library.says(error as isize)
            ))),
        }
    }

    fn start(&self, slot: usize) -> *mut u8 {
        assert!(slot < self.slots.sends + self.slots.receives, "no such slot");
        let start: *mut u8 = self.memory.0.cast();
        start.wrapping_add(slot * self.stride)
    }

    fn context(&self, slot: usize) -> *mut c_void {
        let first: *mut fi_context2 = self.contexts.0.cast();
        first.wrapping_add(slot).cast()
    }

    fn desc(&self) -> *mut c_void {
        self.registration.as_ref().map_or(null_mut(), Registration::desc)
    }

    /// The memory of a slot that the library does not have.
    pub fn memory(&mut self, slot: usize) -> &mut [u8] {
        let bytes = self.slots.bytes;
        // SAFETY: the slot lies within our memory, and by the caller's promise (this is a private
        // module) the library has done with it; `&mut self` keeps everybody else away.
        unsafe { std::slice::from_raw_parts_mut(self.start(slot), bytes) }
    }

    /// Gives a slot to the library, to receive into it; `false`: not now.
    pub fn receive(&mut self, slot: usize) -> Result<bool> {
        let (start, context, desc) = (self.start(slot), self.context(slot), self.desc());
        // SAFETY: memory and context are the library's until it says that it has done.
        let result = unsafe {
            let receive = (*(*self.ep).msg).recv;
            receive(self.ep, start.cast(), self.slots.bytes, desc, FI_ADDR_UNSPEC, context)
        };
        self.taken("receive", result)
    }

    /// Gives the first `len` bytes of a slot to the library, to be sent; `false`: not now.
    pub fn send(&mut self, slot: usize, len: usize, peer: u64) -> Result<bool> {
        let (start, context, desc) = (self.start(slot), self.context(slot), self.desc());
        // SAFETY: memory and context are the library's until it says that it has done.
        let result = unsafe {
            let send = (*(*self.ep).msg).send;
            send(self.ep, start.cast(), len, desc, peer, context)
        };
        self.taken("send", result)
    }

    /// Sends the first `len` bytes of a slot, which may be used again at once; `false`: not now.
    pub fn inject(&mut self, slot: usize, len: usize, peer: u64) -> Result<bool> {
        let start = self.start(slot);
        // SAFETY: the library copies what it keeps before it returns.
        let result = unsafe {
            let inject = (*(*self.ep).msg).inject;
            inject(self.ep, start.cast(), len, peer)
        };
        self.taken("send", result)
    }

    /// Begins to read memory of a peer, or to write to it, by memory that `registration` covers
    /// where that is wanted; slot is one of those for this. `false`: not now.
    ///
    /// # Safety
    ///
    /// The memory is there, and nobody writes to it, nor reads what is read into it, until the
    /// library has done with the slot.
    pub unsafe fn transfer(
        &mut self,
        slot: usize,
        transfer: Transfer,
        registration: Option<&Registration>,
        peer: u64,
        there: RemoteKey,
    ) -> Result<bool> {
        assert!((self.slots.sends + self.slots.receives..self.contexts.0.len()).contains(&slot));
        let (context, desc) = (self.context(slot), registration.map(Registration::desc));
        let (desc, RemoteKey { address, key }) = (desc.unwrap_or(null_mut()), there);
        match transfer {
            Transfer::Read(into) => {
                let (start, len) = (into.cast(), into.len());
                // SAFETY: the endpoint was opened for reads, or there would be no such slot; memory
                // and context are the library's until it says that it has done.
                let result = unsafe {
                    let read = (*(*self.ep).rma).read;
                    read(self.ep, start, len, desc, peer, address, key, context)
                };
                self.taken("read a peer's memory", result)
            }
            Transfer::Write(from) => {
                let memory = libc::iovec { iov_base: from.cast_mut().cast(), iov_len: from.len() };
                let there = fi_rma_iov { addr: address, len: from.len(), key };
                let mut desc = desc;
                let message = fi_msg_rma {
                    msg_iov: &raw const memory,
                    desc: &raw mut desc,
                    iov_count: 1,
                    addr: peer,
                    rma_iov: &raw const there,
                    rma_iov_count: 1,
                    context,
                    data: 0,
                };
                // An operation of a window is complete when its target sees the data.
                let flags = FI_COMPLETION | FI_DELIVERY_COMPLETE;
                // SAFETY: as above; the fabric writes only where the provider offers it. The
                // library only reads the memory, and copies the message's description.
                let result = unsafe {
                    let write = (*(*self.ep).rma).writemsg;
                    write(self.ep, &raw const message, flags)
                };
                self.taken("write to a peer's memory", result)
            }
        }
    }

    fn taken(&self, what: &str, result: isize) -> Result<bool> {
        match result {
            0 => Ok(true),
            busy if busy == -FI_EAGAIN => Ok(false),
            error => Err(failed(format!("libfabric cannot {what}: {}", self.library.says(error)))),
        }
    }

    /// Lets the library work, and says with which slots it has done.
    pub fn poll(&mut self, done: &mut [Done; COMPLETIONS]) -> Result<usize> {
        let none = fi_cq_msg_entry { op_context: null_mut(), flags: 0, len: 0 };
        let mut entries = [none; COMPLETIONS];
        // SAFETY: the library writes at most that many entries of the format we asked for.
        let count = unsafe {
            let read = (*(*self.cq).ops).read;
            read(self.cq, entries.as_mut_ptr().cast(), COMPLETIONS)
        };
        match count {
            none if none == -FI_EAGAIN => Ok(0),
            failed if failed == -FI_EAVAIL => self.failure(&mut done[0]),
            count if count >= 0 => {
                for (done, entry) in done.iter_mut().zip(&entries[..count as usize]) {
                    *done = Done { slot: self.slot(entry.op_context)?, len: entry.len, error: 0 };
                }
                Ok(count as usize)
            }
            error => {
                let says = self.library.says(error);
                Err(failed(format!("libfabric's completions cannot be read: {says}")))
            }
        }
    }

    /// The slot that failed.
    fn failure(&mut self, done: &mut Done) -> Result<usize> {
        // SAFETY: plain data of which zeros are a valid value.
        let mut entry: fi_cq_err_entry = unsafe { std::mem::zeroed() };
        // SAFETY: the library writes one entry, which is longer than that of any version.
        let count = unsafe {
            let readerr = (*(*self.cq).ops).readerr;
            readerr(self.cq, &raw mut entry, 0)
        };
        if count != 1 {
            return Ok(0);
        }
        if entry.op_context.is_null() {
            let says = self.library.says(entry.err as isize);
            return Err(failed(format!("libfabric reports an error of no message: {says}")));
        }
        *done = Done { slot: self.slot(entry.op_context)?, len: 0, error: entry.err.max(1) };
        Ok(1)
    }

    fn slot(&self, context: *mut c_void) -> Result<usize> {
        let first = self.contexts.0.cast::<fi_context2>() as usize;
        let slot = (context as usize).wrapping_sub(first) / size_of::<fi_context2>();
        match slot < self.contexts.0.len() {
            true => Ok(slot),
            false => Err(failed("libfabric has done with a message that was not ours".into())),
        }
    }

    /// What an error number of a [`Done`] means.
    pub fn says(&self, error: c_int) -> String {
        self.library.says(error as isize)
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        // What uses another goes before it; the memory goes last.
        close(self.ep.cast());
        self.registration = None;
        let objects: [*mut fid; 4] =
            [self.cq.cast(), self.av.cast(), self.domain.cast(), self.fabric.cast()];
        objects.into_iter().for_each(close);
    }
}

/// A key of so many bytes to begin with. Whoever knows a key, and reaches the provider, reads and
/// writes what it belongs to, so none should be guessed; half of them are left for those after it.
/// 0 where the system draws none.
fn first_key(bytes: usize) -> u64 {
    let mut key = [0; size_of::<u64>()];
    // SAFETY: the system writes at most as many bytes as there are.
    let drawn = unsafe { libc::getrandom(key.as_mut_ptr().cast(), key.len(), 0) };
    let bits = 8 * bytes.clamp(1, size_of::<u64>()) as u32 - 1;
    match drawn == key.len() as isize {
        true => u64::from_le_bytes(key) & ((1 << bits) - 1),
        false => 0,
    }
}

fn close(object: *mut fid) {
    if !object.is_null() {
        // SAFETY: an object of the library that is open and used no more.
        unsafe { ((*(*object).ops).close)(object) };
    }
}
