//! Which cache, NUMA domain and socket a rank runs in: as the system says, or as a setting does.

use dunlin_base::settings::{DOMAINS, Settings};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::Locality;
use dunlin_machine::CpuDomains;

/// Where a rank learns that from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum DomainSource {
    /// From the CPUs to which it is bound.
    #[default]
    Binding,
    /// Nowhere.
    Nothing,
    /// So many consecutive ranks of a node share a cache, a NUMA domain and a socket.
    Sizes([usize; 3]),
}

impl DomainSource {
    pub fn read(settings: &Settings) -> Result<DomainSource> {
        let text = settings.text(&DOMAINS).unwrap_or_default();
        match text.trim() {
            "" => return Ok(DomainSource::Binding),
            "none" => return Ok(DomainSource::Nothing),
            _ => {}
        }
        let number = |part: &str| part.trim().parse().ok().filter(|&size| size > 0);
        let sizes: Option<Vec<usize>> = text.split(',').map(number).collect();
        match sizes.as_deref() {
            Some(&[cache, numa, socket]) => Ok(DomainSource::Sizes([cache, numa, socket])),
            _ => Err(Error::new(
                ErrorClass::Arg,
                format!(
                    "{DOMAINS} is `{text}`; it must be three numbers of ranks from 1 on, those \
                     that share a cache, a NUMA domain and a socket, as in `8,24,48`, or `none`"
                ),
            )),
        }
    }

    /// Where this process is, the rank of this number in its node.
    pub fn locality(self, number: usize) -> Locality {
        let label = |number: usize| u16::try_from(number).unwrap_or(0);
        match self {
            DomainSource::Sizes(sizes) => {
                let [cache, numa, socket] = sizes.map(|size| label(number / size + 1));
                Locality { cache, numa, socket }
            }
            DomainSource::Nothing => Locality::default(),
            DomainSource::Binding => {
                let CpuDomains { cache, numa, socket } = CpuDomains::own();
                Locality { cache: label(cache), numa: label(numa), socket: label(socket) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> Result<DomainSource> {
        let pairs = [(DOMAINS.name.into(), text.into())];
        DomainSource::read(&Settings::checked(pairs.into_iter())?)
    }

    #[test]
    fn three_sizes_place_ranks_by_their_numbers() {
        let source = with("2,4,8").unwrap();
        let place = |number| source.locality(number);
        assert_eq!(place(0), place(1));
        assert_eq!(place(5), Locality { cache: 3, numa: 2, socket: 1 });
    }

    #[test]
    fn anything_else_is_refused_with_the_words_that_it_should_be() {
        assert_eq!(with("").unwrap(), DomainSource::Binding);
        assert_eq!(with("none").unwrap().locality(3), Locality::default());
        for text in ["8", "8,0,16", "8,16,a", "1,2,3,4"] {
            let error = &with(text).unwrap_err().text;
            assert!(error.contains(text) && error.contains("`8,24,48`"), "{error}");
        }
    }
}
