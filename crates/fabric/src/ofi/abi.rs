//! The parts of libfabric's binary interface that we use, written by hand from its public headers
//! (versions 1.17 to 2.x, which only ever append), so that neither headers nor the library are
//! needed to build. A test holds sizes and offsets to the headers where they are installed.
//!
//! Functions that we do not call are words here.

#![allow(missing_docs, reason = "the names are libfabric's own; its manual pages describe them")]

use std::ffi::{c_char, c_int, c_void};

/// A function we do not call.
pub type Unused = *const c_void;

pub const fn version(major: u32, minor: u32) -> u32 {
    major << 16 | minor
}

pub const FI_MSG: u64 = 1 << 1;
pub const FI_RMA: u64 = 1 << 2;
pub const FI_READ: u64 = 1 << 8;
pub const FI_WRITE: u64 = 1 << 9;
pub const FI_REMOTE_READ: u64 = 1 << 12;
pub const FI_REMOTE_WRITE: u64 = 1 << 13;
pub const FI_RECV: u64 = 1 << 10;
pub const FI_TRANSMIT: u64 = 1 << 11;
pub const FI_SEND: u64 = 1 << 11;

pub const FI_COMPLETION: u64 = 1 << 24;
/// An operation is complete when its data is where the peer sees it.
pub const FI_DELIVERY_COMPLETE: u64 = 1 << 28;
pub const FI_CONTEXT: u64 = 1 << 59;
pub const FI_MSG_PREFIX: u64 = 1 << 58;
pub const FI_RX_CQ_DATA: u64 = 1 << 56;
pub const FI_CONTEXT2: u64 = 1 << 52;

pub const FI_MR_LOCAL: c_int = 1 << 2;
pub const FI_MR_VIRT_ADDR: c_int = 1 << 4;
pub const FI_MR_ALLOCATED: c_int = 1 << 5;
pub const FI_MR_PROV_KEY: c_int = 1 << 6;
pub const FI_MR_ENDPOINT: c_int = 1 << 9;

pub const FI_ORDER_SAS: u64 = 1 << 8;

pub const FI_EP_DGRAM: c_int = 2;
pub const FI_EP_RDM: c_int = 3;
pub const FI_AV_TABLE: c_int = 2;
pub const FI_THREAD_DOMAIN: c_int = 3;
pub const FI_CQ_FORMAT_MSG: c_int = 2;
pub const FI_WAIT_NONE: c_int = 0;
/// A control command: the endpoint or memory region may be used from now on.
pub const FI_ENABLE: c_int = 6;

pub const FI_ADDR_UNSPEC: u64 = u64::MAX;

pub const FI_EAGAIN: isize = libc::EAGAIN as isize;
pub const FI_EAVAIL: isize = 259;
pub const FI_ETRUNC: c_int = 265;

#[repr(C)]
pub struct fi_tx_attr {
    pub caps: u64,
    pub mode: u64,
    pub op_flags: u64,
    pub msg_order: u64,
    pub comp_order: u64,
    pub inject_size: usize,
    pub size: usize,
}

#[repr(C)]
pub struct fi_rx_attr {
    pub caps: u64,
    pub mode: u64,
    pub op_flags: u64,
    pub msg_order: u64,
    pub comp_order: u64,
    pub total_buffered_recv: usize,
    pub size: usize,
}

#[repr(C)]
pub struct fi_ep_attr {
    pub r#type: c_int,
    pub protocol: u32,
    pub protocol_version: u32,
    pub max_msg_size: usize,
    pub msg_prefix_size: usize,
}

#[repr(C)]
pub struct fi_domain_attr {
    pub domain: *mut c_void,
    pub name: *mut c_char,
    pub threading: c_int,
    pub control_progress: c_int,
    pub data_progress: c_int,
    pub resource_mgmt: c_int,
    pub av_type: c_int,
    pub mr_mode: c_int,
    pub mr_key_size: usize,
}

#[repr(C)]
pub struct fi_fabric_attr {
    pub fabric: *mut c_void,
    pub name: *mut c_char,
    pub prov_name: *mut c_char,
    pub prov_version: u32,
    pub api_version: u32,
}

#[repr(C)]
pub struct fi_info {
    pub next: *mut fi_info,
    pub caps: u64,
    pub mode: u64,
    pub addr_format: u32,
    pub src_addrlen: usize,
    pub dest_addrlen: usize,
    pub src_addr: *mut c_void,
    pub dest_addr: *mut c_void,
    pub handle: *mut c_void,
    pub tx_attr: *mut fi_tx_attr,
    pub rx_attr: *mut fi_rx_attr,
    pub ep_attr: *mut fi_ep_attr,
    pub domain_attr: *mut fi_domain_attr,
    pub fabric_attr: *mut fi_fabric_attr,
}

#[repr(C)]
pub struct fid {
    pub fclass: usize,
    pub context: *mut c_void,
    pub ops: *const fi_ops,
}

#[repr(C)]
pub struct fi_ops {
    pub size: usize,
    pub close: unsafe extern "C" fn(*mut fid) -> c_int,
    pub bind: unsafe extern "C" fn(*mut fid, *mut fid, u64) -> c_int,
    pub control: unsafe extern "C" fn(*mut fid, c_int, *mut c_void) -> c_int,
}

#[repr(C)]
pub struct fid_fabric {
    pub fid: fid,
    pub ops: *const fi_ops_fabric,
}

#[repr(C)]
pub struct fi_ops_fabric {
    pub size: usize,
    pub domain: unsafe extern "C" fn(
        *mut fid_fabric,
        *mut fi_info,
        *mut *mut fid_domain,
        *mut c_void,
    ) -> c_int,
}

#[repr(C)]
pub struct fid_domain {
    pub fid: fid,
    pub ops: *const fi_ops_domain,
    pub mr: *const fi_ops_mr,
}

#[repr(C)]
pub struct fi_ops_domain {
    pub size: usize,
    pub av_open: unsafe extern "C" fn(
        *mut fid_domain,
        *mut fi_av_attr,
        *mut *mut fid_av,
        *mut c_void,
    ) -> c_int,
    pub cq_open: unsafe extern "C" fn(
        *mut fid_domain,
        *mut fi_cq_attr,
        *mut *mut fid_cq,
        *mut c_void,
    ) -> c_int,
    pub endpoint:
        unsafe extern "C" fn(*mut fid_domain, *mut fi_info, *mut *mut fid_ep, *mut c_void) -> c_int,
}

#[repr(C)]
pub struct fi_ops_mr {
    pub size: usize,
    pub reg: unsafe extern "C" fn(
        *mut fid,
        *const c_void,
        usize,
        u64,
        u64,
        u64,
        u64,
        *mut *mut fid_mr,
        *mut c_void,
    ) -> c_int,
}

#[repr(C)]
pub struct fid_mr {
    pub fid: fid,
    pub mem_desc: *mut c_void,
    pub key: u64,
}

#[repr(C)]
pub struct fi_av_attr {
    pub r#type: c_int,
    pub rx_ctx_bits: c_int,
    pub count: usize,
    pub ep_per_node: usize,
    pub name: *const c_char,
    pub map_addr: *mut c_void,
    pub flags: u64,
}

#[repr(C)]
pub struct fid_av {
    pub fid: fid,
    pub ops: *const fi_ops_av,
}

#[repr(C)]
pub struct fi_ops_av {
    pub size: usize,
    pub insert: unsafe extern "C" fn(
        *mut fid_av,
        *const c_void,
        usize,
        *mut u64,
        u64,
        *mut c_void,
    ) -> c_int,
}

#[repr(C)]
pub struct fi_cq_attr {
    pub size: usize,
    pub flags: u64,
    pub format: c_int,
    pub wait_obj: c_int,
    pub signaling_vector: c_int,
    pub wait_cond: c_int,
    pub wait_set: *mut c_void,
}

#[repr(C)]
pub struct fid_cq {
    pub fid: fid,
    pub ops: *const fi_ops_cq,
}

#[repr(C)]
pub struct fi_ops_cq {
    pub size: usize,
    pub read: unsafe extern "C" fn(*mut fid_cq, *mut c_void, usize) -> isize,
    pub readfrom: Unused,
    pub readerr: unsafe extern "C" fn(*mut fid_cq, *mut fi_cq_err_entry, u64) -> isize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fi_cq_msg_entry {
    pub op_context: *mut c_void,
    pub flags: u64,
    pub len: usize,
}

#[repr(C)]
pub struct fi_cq_err_entry {
    pub op_context: *mut c_void,
    pub flags: u64,
    pub len: usize,
    pub buf: *mut c_void,
    pub data: u64,
    pub tag: u64,
    pub olen: usize,
    pub err: c_int,
    pub prov_errno: c_int,
    pub err_data: *mut c_void,
    pub err_data_size: usize,
    /// What later versions append.
    pub later: [u64; 4],
}

#[repr(C)]
pub struct fid_ep {
    pub fid: fid,
    pub ops: Unused,
    pub cm: *const fi_ops_cm,
    pub msg: *const fi_ops_msg,
    pub rma: *const fi_ops_rma,
}

#[repr(C)]
pub struct fi_ops_rma {
    pub size: usize,
    pub read: unsafe extern "C" fn(
        *mut fid_ep,
        *mut c_void,
        usize,
        *mut c_void,
        u64,
        u64,
        u64,
        *mut c_void,
    ) -> isize,
    pub readv: Unused,
    pub readmsg: Unused,
    pub write: Unused,
    pub writev: Unused,
    pub writemsg: unsafe extern "C" fn(*mut fid_ep, *const fi_msg_rma, u64) -> isize,
}

#[repr(C)]
pub struct fi_rma_iov {
    pub addr: u64,
    pub len: usize,
    pub key: u64,
}

#[repr(C)]
pub struct fi_msg_rma {
    pub msg_iov: *const libc::iovec,
    pub desc: *mut *mut c_void,
    pub iov_count: usize,
    pub addr: u64,
    pub rma_iov: *const fi_rma_iov,
    pub rma_iov_count: usize,
    pub context: *mut c_void,
    pub data: u64,
}

#[repr(C)]
pub struct fi_ops_cm {
    pub size: usize,
    pub setname: Unused,
    pub getname: unsafe extern "C" fn(*mut fid, *mut c_void, *mut usize) -> c_int,
}

#[repr(C)]
pub struct fi_ops_msg {
    pub size: usize,
    pub recv: unsafe extern "C" fn(
        *mut fid_ep,
        *mut c_void,
        usize,
        *mut c_void,
        u64,
        *mut c_void,
    ) -> isize,
    pub recvv: Unused,
    pub recvmsg: Unused,
    pub send: unsafe extern "C" fn(
        *mut fid_ep,
        *const c_void,
        usize,
        *mut c_void,
        u64,
        *mut c_void,
    ) -> isize,
    pub sendv: Unused,
    pub sendmsg: Unused,
    pub inject: unsafe extern "C" fn(*mut fid_ep, *const c_void, usize, u64) -> isize,
}

/// What an operation in flight may use as it likes, for providers that ask for it (FI_CONTEXT needs
/// four words, FI_CONTEXT2 eight).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fi_context2 {
    pub internal: [*mut c_void; 8],
}

/// The functions the library exports; all others are in the tables above.
#[derive(Clone, Copy)]
pub struct Exports {
    pub fi_version: unsafe extern "C" fn() -> u32,
    pub fi_getinfo: unsafe extern "C" fn(
        u32,
        *const c_char,
        *const c_char,
        u64,
        *const fi_info,
        *mut *mut fi_info,
    ) -> c_int,
    pub fi_freeinfo: unsafe extern "C" fn(*mut fi_info),
    /// Of none: a new one, all zeros, with all its parts.
    pub fi_dupinfo: unsafe extern "C" fn(*const fi_info) -> *mut fi_info,
    pub fi_fabric:
        unsafe extern "C" fn(*mut fi_fabric_attr, *mut *mut fid_fabric, *mut c_void) -> c_int,
    pub fi_strerror: unsafe extern "C" fn(c_int) -> *const c_char,
}

#[cfg(test)]
#[path = "abi_tests.rs"]
mod tests;
