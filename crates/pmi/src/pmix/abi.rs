//! The parts of PMIx's binary interface that we use (the same in its versions 3 to 5), written by
//! hand from the standard, so that neither headers nor the library are needed to build.

use std::ffi::{CStr, CString, c_char, c_int};

/// `PMIX_SUCCESS`.
pub const SUCCESS: c_int = 0;
/// Numbers by which it says that nobody was asked: `PMIX_ERR_TIMEOUT`, `PMIX_ERR_UNREACH`,
/// `PMIX_ERR_INIT`, `PMIX_ERR_COMM_FAILURE`, `PMIX_ERR_LOST_CONNECTION`, and what older versions
/// had for the last one.
pub const NOT_ASKED: [c_int; 6] = [-24, -25, -31, -49, -61, -101];
/// Asks for what holds for all ranks of a job.
pub const RANK_WILDCARD: u32 = u32::MAX - 1;
/// Values are for ranks here and elsewhere.
pub const GLOBAL: u8 = 3;
/// Kinds of values.
const BOOL: u16 = 1;
pub const STRING: u16 = 3;
const UINT32: u16 = 14;
pub const BYTE_OBJECT: u16 = 27;
const PROC_RANK: u16 = 40;

/// Bytes of the name of a job, with the one that ends it.
const NAME_BYTES: usize = 256;

/// `pmix_proc_t`: a rank of a job.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Proc {
    pub nspace: [c_char; NAME_BYTES],
    pub rank: u32,
}

impl Default for Proc {
    fn default() -> Proc {
        Proc { nspace: [0; NAME_BYTES], rank: 0 }
    }
}

impl Proc {
    /// The job's name.
    pub fn job(&self) -> String {
        let name: Vec<u8> = self.nspace.iter().map(|&c| c as u8).take_while(|&c| c != 0).collect();
        String::from_utf8_lossy(&name).into_owned()
    }
}

/// `pmix_value_t`: its kind says which part of the data counts.
#[repr(C)]
pub struct Value {
    pub kind: u16,
    pub data: ValueData,
}

impl Value {
    pub fn is_number(&self) -> bool {
        self.kind == UINT32 || self.kind == PROC_RANK
    }
}

/// `pmix_byte_object_t`; a string lies at the place of its pointer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
    pub at: *const c_char,
    pub len: usize,
}

/// Of the data only what we use; the longest part is three words.
#[repr(C)]
pub union ValueData {
    pub flag: bool,
    pub number: u32,
    pub bytes: Bytes,
    words: [u64; 3],
}

const _: () = assert!(size_of::<Value>() == 32);
const _: () = assert!(size_of::<Proc>() == 260);

/// Bytes of a key, with the one that ends it.
const KEY_BYTES: usize = 512;

/// `pmix_info_t`: a wish.
#[repr(C)]
pub struct Info {
    key: [c_char; KEY_BYTES],
    flags: u32,
    value: Value,
}

impl Info {
    /// Something that is to be so.
    pub fn so(name: &CStr) -> Info {
        let value = Value { kind: BOOL, data: ValueData { flag: true } };
        let mut info = Info { key: [0; KEY_BYTES], flags: 0, value };
        for (to, from) in info.key[..KEY_BYTES - 1].iter_mut().zip(name.to_bytes()) {
            *to = *from as c_char;
        }
        info
    }
}

const _: () = assert!(size_of::<Info>() == 552);

/// The functions.
#[derive(Clone, Copy)]
pub struct Exports {
    pub init: unsafe extern "C" fn(*mut Proc, *const Info, usize) -> c_int,
    pub finalize: unsafe extern "C" fn(*const Info, usize) -> c_int,
    pub put: unsafe extern "C" fn(u8, *const c_char, *mut Value) -> c_int,
    pub commit: unsafe extern "C" fn() -> c_int,
    pub fence: unsafe extern "C" fn(*const Proc, usize, *const Info, usize) -> c_int,
    pub get: unsafe extern "C" fn(
        *const Proc,
        *const c_char,
        *const Info,
        usize,
        *mut *mut Value,
    ) -> c_int,
    pub abort: unsafe extern "C" fn(c_int, *const c_char, *mut Proc, usize) -> c_int,
    pub error_string: unsafe extern "C" fn(c_int) -> *const c_char,
}

/// Loads the file `name`, for good: the library has threads of its own. The error is the loader's
/// sentence.
pub fn load(name: &str) -> Result<Exports, String> {
    let file = CString::new(name).map_err(|_| format!("`{name}` is no file name"))?;
    // SAFETY: loads a library by the launcher's or the user's choice; its constructors are trusted
    // as it is.
    let handle = unsafe { libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() {
        return Err(last_error());
    }
    let find = |name: &CStr| {
        // SAFETY: the handle is that of a loaded library, the name a string.
        let symbol = unsafe { libc::dlsym(handle, name.as_ptr()) };
        if symbol.is_null() { Err(last_error()) } else { Ok(symbol) }
    };
    #[allow(clippy::missing_transmute_annotations, reason = "`Exports` has the types")]
    // SAFETY: each symbol is the function of that name, whose type the standard gives.
    unsafe {
        Ok(Exports {
            init: std::mem::transmute(find(c"PMIx_Init")?),
            finalize: std::mem::transmute(find(c"PMIx_Finalize")?),
            put: std::mem::transmute(find(c"PMIx_Put")?),
            commit: std::mem::transmute(find(c"PMIx_Commit")?),
            fence: std::mem::transmute(find(c"PMIx_Fence")?),
            get: std::mem::transmute(find(c"PMIx_Get")?),
            abort: std::mem::transmute(find(c"PMIx_Abort")?),
            error_string: std::mem::transmute(find(c"PMIx_Error_string")?),
        })
    }
}

fn last_error() -> String {
    // SAFETY: returns a string of the loader's own, which lives until the next call of this thread,
    // or nothing.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return "unknown error of the loader".into();
    }
    // SAFETY: as above.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
