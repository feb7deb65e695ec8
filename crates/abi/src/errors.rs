//! Error codes and their texts (MPI 5.0, sections 9.4 and 9.5). A predefined code is its class; the
//! classes and codes that a program adds are stored here. Any thread may use these functions at any
//! time, so the table has a lock.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dunlin_base::{Error, ErrorClass, Result};

use crate::call::finish;
use crate::convert::{error, put};
use crate::environment::{cut, put_string};
use crate::raise::{Owner, last_text};
use crate::standard::constants::*;
use crate::standard::error_codes;

/// The longest text, without its final zero.
const TEXT_BYTES_MAX: usize = MPI_MAX_ERROR_STRING as usize - 1;

/// A class or code that the program added.
#[derive(Debug)]
struct Added {
    /// The class of a code; for a class, the class itself.
    class: c_int,
    text: String,
}

/// The classes and codes that the program added.
#[derive(Debug)]
struct Table {
    added: BTreeMap<c_int, Added>,
    /// The last number in use. Numbers are not reused, so that an old code never gets a new
    /// meaning.
    last: c_int,
}

static TABLE: Mutex<Table> = Mutex::new(Table { added: BTreeMap::new(), last: MPI_ERR_LASTCODE });

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The largest code in use: the attribute `MPI_LASTUSEDCODE`.
pub fn last_used_code() -> c_int {
    table().last
}

/// The class of any code in use.
pub fn class_of(code: c_int) -> Result<c_int> {
    if error_codes::text(code).is_some() {
        return Ok(code);
    }
    table().added.get(&code).map(|a| a.class).ok_or_else(|| unknown(code))
}

fn unknown(code: c_int) -> Error {
    error(
        ErrorClass::Arg,
        format!(
            "{code} is no error code; the standard's end at {MPI_ERR_LASTCODE}, and others must \
             come from MPI_Add_error_class or MPI_Add_error_code"
        ),
    )
}

/// The text of a code; if this thread's last error had it, the text of that error.
fn text_of(code: c_int) -> Result<String> {
    let Some(class) = error_codes::text(code) else {
        return table().get(code).map(|added| added.text.clone());
    };
    Ok(match last_text(code) {
        Some(last) => format!("{class}; {last}"),
        None => class.to_string(),
    })
}

impl Table {
    /// Adds a code of `class`, or a class if `None`.
    fn add(&mut self, class: Option<c_int>) -> c_int {
        self.last += 1;
        let class = class.unwrap_or(self.last);
        self.added.insert(self.last, Added { class, text: String::new() });
        self.last
    }

    fn get(&mut self, code: c_int) -> Result<&mut Added> {
        self.added.get_mut(&code).ok_or_else(|| unknown(code))
    }

    /// Removes a class (or a code) that the program added; one that is still in use stays.
    fn remove(&mut self, code: c_int, is_class: bool) -> Result<()> {
        if (self.get(code)?.class == code) != is_class {
            let kind = if is_class { "code, not a class" } else { "class, not a code" };
            return Err(error(ErrorClass::Arg, format!("{code} is an error {kind}")));
        }
        if is_class && self.added.iter().any(|(c, a)| *c != code && a.class == code) {
            let text = format!("the error class {code} still has codes; remove them first");
            return Err(error(ErrorClass::Arg, text));
        }
        if !self.get(code)?.text.is_empty() {
            let text = format!("{code} still has a string; remove it with MPI_Remove_error_string");
            return Err(error(ErrorClass::Arg, text));
        }
        self.added.remove(&code);
        Ok(())
    }

    fn set_text(&mut self, code: c_int, text: String) -> Result<()> {
        self.get(code)?.text = text;
        Ok(())
    }
}

entry! {
    fn MPI_Error_class(errorcode: c_int, errorclass: *mut c_int) -> c_int {
        let class = class_of(errorcode);
        // SAFETY: the program passes null or the address of an int.
        let outcome = class.and_then(|c| unsafe { put(errorclass, c, "errorclass") });
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Error_string(errorcode: c_int, string: *mut c_char, resultlen: *mut c_int) -> c_int {
        let outcome = text_of(errorcode).and_then(|text| {
            if string.is_null() || resultlen.is_null() {
                return Err(error(ErrorClass::Arg, "an argument is a null pointer; pass an array"));
            }
            // SAFETY: the standard requires MPI_MAX_ERROR_STRING characters; no text is longer.
            unsafe { put_string(cut(&text, TEXT_BYTES_MAX), string, resultlen) };
            Ok(())
        });
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Add_error_class(errorclass: *mut c_int) -> c_int {
        let class = table().add(None);
        // SAFETY: the program passes null or the address of an int.
        finish(FUNCTION, Owner::None, unsafe { put(errorclass, class, "errorclass") })
    }

    fn MPI_Add_error_code(errorclass: c_int, errorcode: *mut c_int) -> c_int {
        let outcome = class_of(errorclass).and_then(|class| {
            let code = table().add(Some(class));
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(errorcode, code, "errorcode") }
        });
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Add_error_string(errorcode: c_int, string: *const c_char) -> c_int {
        if string.is_null() {
            let null = Err(error(ErrorClass::Arg, "string is a null pointer; pass a string"));
            return finish(FUNCTION, Owner::None, null);
        }
        // SAFETY: the program passes a string.
        let text = unsafe { CStr::from_ptr(string) }.to_string_lossy();
        let text = cut(&text, TEXT_BYTES_MAX).to_string();
        finish(FUNCTION, Owner::None, table().set_text(errorcode, text))
    }

    fn MPI_Remove_error_class(errorclass: c_int) -> c_int {
        finish(FUNCTION, Owner::None, table().remove(errorclass, true))
    }

    fn MPI_Remove_error_code(errorcode: c_int) -> c_int {
        finish(FUNCTION, Owner::None, table().remove(errorcode, false))
    }

    fn MPI_Remove_error_string(errorcode: c_int) -> c_int {
        finish(FUNCTION, Owner::None, table().set_text(errorcode, String::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_codes_belong_to_their_class_until_removed() {
        let mut t = Table { added: BTreeMap::new(), last: MPI_ERR_LASTCODE };
        let class = t.add(None);
        let code = t.add(Some(class));
        assert!(class > MPI_ERR_LASTCODE && code > class);
        t.set_text(code, "too late".into()).unwrap();
        assert_eq!(t.get(code).map(|a| (a.class, &*a.text)), Ok((class, "too late")));
        assert!(t.remove(class, true).is_err(), "a class with codes stays");
        assert!(t.remove(code, true).is_err(), "a code is no class");
        assert!(t.remove(code, false).is_err(), "a code with a string stays");
        t.set_text(code, String::new()).unwrap();
        t.remove(code, false).unwrap();
        t.remove(class, true).unwrap();
        assert!(t.add(None) > code, "numbers are not used twice");
    }
}
