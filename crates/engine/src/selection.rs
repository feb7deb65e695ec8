//! Which algorithm a collective call runs: the tables of this process, read once when it starts.

use std::ffi::OsString;
use std::fs::File;

use dunlin_base::settings::{COLL_ALGORITHM, COLL_TUNING};
use dunlin_base::{Error, ErrorClass, Result, text};
use dunlin_coll::selection::{Selection, TableText};

/// Reads the settings of the environment and the file they name.
pub(crate) fn load() -> Result<Selection> {
    load_from(|setting| std::env::var_os(setting))
}

fn load_from(settings: impl Fn(&str) -> Option<OsString>) -> Result<Selection> {
    let text_of = |setting: &str| match settings(setting).map(OsString::into_string) {
        Some(Ok(value)) => Ok(value),
        None => Ok(String::new()),
        Some(Err(value)) => {
            let text = format!("{setting} is {value:?}, which is not UTF-8; rename what it names");
            Err(Error::new(ErrorClass::Arg, text))
        }
    };
    let (forced, name) = (text_of(COLL_ALGORITHM)?, text_of(COLL_TUNING)?);
    if name.is_empty() {
        return Selection::new(&forced, None);
    }
    let text = File::open(&name).and_then(text::read).map_err(|e| {
        let text =
            format!("{COLL_TUNING} is `{name}`, which cannot be read: {e}; correct or unset it");
        Error::new(ErrorClass::Arg, text)
    })?;
    Selection::new(&forced, Some(TableText { name: &name, text: &text }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dunlin_coll::bcast::Algorithm;
    use dunlin_coll::select::{CallTraits, Params};
    use std::os::unix::ffi::OsStringExt;

    const CALL: Params = Params { shape: CallTraits::plain(4), bytes_per_rank: 8 };

    fn with(setting: &'static str, value: OsString) -> Result<Selection> {
        load_from(move |name| (name == setting).then(|| value.clone()))
    }

    #[test]
    fn the_file_that_the_setting_names_is_asked_before_the_built_in_rules() {
        let path = std::env::temp_dir().join(format!("dunlin-table-{}.toml", std::process::id()));
        std::fs::write(&path, "[[bcast]]\nalgorithm = 'scatter_allgather'\n").unwrap();
        let selection = with(COLL_TUNING, path.clone().into_os_string());
        std::fs::remove_file(&path).unwrap();
        assert_eq!(selection.unwrap().choose::<Algorithm>(&CALL), Algorithm::ScatterAllgather);
        let built_in: Algorithm = load_from(|_| None).unwrap().choose(&CALL);
        assert_ne!(built_in, Algorithm::ScatterAllgather);
    }

    #[test]
    fn a_forced_algorithm_needs_no_file_and_empty_settings_are_none() {
        let forced = with(COLL_ALGORITHM, "bcast=scatter_allgather".into()).unwrap();
        assert_eq!(forced.choose::<Algorithm>(&CALL), Algorithm::ScatterAllgather);
        assert!(with(COLL_TUNING, OsString::new()).is_ok());
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_with_the_setting() {
        let error = with(COLL_TUNING, "not/there.toml".into()).unwrap_err();
        assert!(error.text.starts_with("DUNLIN_COLL_TUNING is `not/there.toml`"), "{error}");
        let error = with(COLL_ALGORITHM, OsString::from_vec(vec![b'a', 0xff])).unwrap_err();
        assert!(
            error.text.contains("DUNLIN_COLL_ALGORITHM") && error.text.contains("UTF-8"),
            "{error}"
        );
    }
}
