//! Which algorithm a collective call runs: the tables of this process, read once when it starts.

use std::fs::File;

use dunlin_base::settings::{COLL_ALGORITHM, COLL_TUNING, Settings};
use dunlin_base::{Error, ErrorClass, Result, text};
use dunlin_coll::selection::{Selection, TableText};

/// By the settings and the file they name.
pub(crate) fn load(settings: &Settings) -> Result<Selection> {
    let forced = settings.text(&COLL_ALGORITHM).unwrap_or_default();
    let Some(name) = settings.text(&COLL_TUNING) else { return Selection::new(forced, None) };
    let text = File::open(name).and_then(text::read).map_err(|e| {
        let text =
            format!("{COLL_TUNING} is `{name}`, which cannot be read: {e}; correct or unset it");
        Error::new(ErrorClass::Arg, text)
    })?;
    Selection::new(forced, Some(TableText { name, text: &text }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dunlin_base::settings::Setting;
    use dunlin_coll::bcast::Algorithm;
    use dunlin_coll::select::{CallTraits, Params};

    const CALL: Params = Params { shape: CallTraits::plain(4), bytes_per_rank: 8 };

    fn with(setting: &Setting, value: &str) -> Result<Selection> {
        load(&Settings::checked([(setting.name.into(), value.into())].into_iter())?)
    }

    #[test]
    fn the_file_that_the_setting_names_is_asked_before_the_built_in_rules() {
        let path = std::env::temp_dir().join(format!("dunlin-table-{}.toml", std::process::id()));
        std::fs::write(&path, "[[bcast]]\nalgorithm = 'scatter_allgather'\n").unwrap();
        let selection = with(&COLL_TUNING, path.to_str().unwrap());
        std::fs::remove_file(&path).unwrap();
        assert_eq!(selection.unwrap().choose::<Algorithm>(&CALL), Algorithm::ScatterAllgather);
        let built_in: Algorithm = with(&COLL_TUNING, "").unwrap().choose(&CALL);
        assert_ne!(built_in, Algorithm::ScatterAllgather);
    }

    #[test]
    fn a_forced_algorithm_needs_no_file() {
        let forced = with(&COLL_ALGORITHM, "bcast=scatter_allgather").unwrap();
        assert_eq!(forced.choose::<Algorithm>(&CALL), Algorithm::ScatterAllgather);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_with_the_setting() {
        let error = with(&COLL_TUNING, "not/there.toml").unwrap_err();
        assert!(error.text.starts_with("DUNLIN_COLL_TUNING is `not/there.toml`"), "{error}");
    }
}
