//! What a process tells its peers so that they can send it packets: where its fabric is found, and
//! for whom they are to be sealed.
//!
//! ```text
//! 0 security 1 | 1 incarnation 8 | 9 the fabric's address
//! ```

use dunlin_base::settings::NET_SECURITY;
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_seal::Security;
use dunlin_shm::address::Address;

const HEAD_BYTES: usize = 9;

/// What it tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BusinessCard<'a> {
    /// How much its packets are protected, and those to it must be.
    pub security: Security,
    /// [`dunlin_seal::draw_incarnation`].
    pub incarnation: u64,
    /// Where its fabric is found.
    pub fabric: &'a [u8],
}

impl<'a> BusinessCard<'a> {
    /// None if it is too long.
    pub fn encode(&self) -> Option<Address> {
        let mut bytes = vec![self.security as u8];
        // The highest byte first: ranks of a node that begin together have these in common.
        bytes.extend(self.incarnation.to_be_bytes());
        bytes.extend(self.fabric);
        Address::new(&bytes)
    }

    /// What a peer on `host` has told.
    pub fn read(address: &'a Address, rank: u32) -> Result<BusinessCard<'a>> {
        let read = || {
            let (head, fabric) = address.as_bytes().split_first_chunk::<HEAD_BYTES>()?;
            let (&security, incarnation) = head.split_first()?;
            let incarnation = u64::from_be_bytes(incarnation.try_into().ok()?);
            Some(BusinessCard { security: Security::from_number(security)?, incarnation, fabric })
        };
        read().ok_or_else(|| {
            let text = format!(
                "what rank {rank} says of how it is reached makes no sense: do all ranks use the \
                 same Dunlin?"
            );
            Error::new(ErrorClass::Other, text)
        })
    }

    /// All processes of a job protect their packets alike.
    pub fn check(&self, own: Security, rank: u32, host: &str) -> Result<()> {
        if self.security == own {
            return Ok(());
        }
        let text = format!(
            "{NET_SECURITY} is `{}` here and `{}` for rank {rank} on {host}; it must be the same \
             on all hosts",
            own.name(),
            self.security.name()
        );
        Err(Error::new(ErrorClass::Arg, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_read() {
        let told = BusinessCard {
            security: Security::Encrypt,
            incarnation: u64::MAX - 1,
            fabric: &[9; 64],
        };
        let address = told.encode().unwrap();
        assert_eq!(BusinessCard::read(&address, 0).unwrap(), told);
        for wrong in [&b"short"[..], &[7; 20]] {
            let error = BusinessCard::read(&Address::new(wrong).unwrap(), 3).unwrap_err();
            assert!(error.text.contains("rank 3"), "{error}");
        }
    }

    #[test]
    fn another_security_is_an_error_that_names_both_and_the_host() {
        let told = BusinessCard { security: Security::Encrypt, incarnation: 1, fabric: b"" };
        assert!(told.check(Security::Encrypt, 1, "beta").is_ok());
        let text = &told.check(Security::Off, 1, "beta").unwrap_err().text;
        for word in [NET_SECURITY.name, "`off`", "`encrypt`", "rank 1 on beta"] {
            assert!(text.contains(word), "{text}");
        }
    }
}
