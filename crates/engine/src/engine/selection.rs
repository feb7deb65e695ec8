//! Which algorithm a collective call runs: the tables of this process, read once when it starts.

use std::fs::File;

use dunlin_base::settings::{COLL_ALGORITHM, COLL_TUNING, MACHINE, Settings};
use dunlin_base::{Error, ErrorClass, Result, text};
use dunlin_coll::selection::Selection;
use dunlin_coll::table::TableText;
use dunlin_machine::model_named;

/// What the settings say, before the job is known.
pub(crate) struct Named<'a> {
    forced: &'a str,
    /// The name of the user's table and its text.
    table: Option<(&'a str, String)>,
    /// The machine that the user has named, or that none is to be used; else the job's decides.
    machine: Option<Option<&'static str>>,
}

impl Named<'_> {
    /// Reads the settings and the file they name.
    pub fn read(settings: &Settings) -> Result<Named<'_>> {
        let wrong = |text: String| Error::new(ErrorClass::Arg, text);
        let table = settings.text(&COLL_TUNING).map(|name| {
            let text = File::open(name).and_then(text::read).map_err(|e| {
                wrong(format!(
                    "{COLL_TUNING} is `{name}`, which cannot be read: {e}; correct or unset it"
                ))
            })?;
            Ok((name, text))
        });
        let machine = settings.text(&MACHINE).map(model_named).transpose();
        Ok(Named {
            forced: settings.text(&COLL_ALGORITHM).unwrap_or_default(),
            table: table.transpose()?,
            machine: machine.map_err(|text| wrong(format!("{MACHINE}: {text}")))?,
        })
    }

    /// Whether an algorithm is named.
    pub fn forces(&self) -> bool {
        !self.forced.is_empty()
    }

    /// The rules, in a job whose machine is like this model.
    pub fn rules(&self, machine: Option<&str>) -> Result<Selection> {
        let table = self.table.as_ref().map(|(name, text)| TableText { name, text });
        Selection::on_machine(self.forced, table, self.machine.unwrap_or(machine))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dunlin_base::settings::Setting;
    use dunlin_coll::bcast::Algorithm;
    use dunlin_coll::select::{CallTraits, Origin, Params};

    const CALL: Params = Params { shape: CallTraits::plain(4), bytes_per_rank: 8 };

    fn with(setting: &Setting, value: &str) -> Result<Selection> {
        in_job(setting, value, None)
    }

    fn in_job(setting: &Setting, value: &str, machine: Option<&str>) -> Result<Selection> {
        let settings = Settings::checked([(setting.name.into(), value.into())].into_iter())?;
        Named::read(&settings)?.rules(machine)
    }

    /// Whether a table that is shipped has a rule of allreduce.
    fn is_tuned(selection: Result<Selection>) -> bool {
        let told = selection.unwrap().explain("allreduce", &CALL).unwrap();
        told.iter().any(|rule| matches!(rule.origin, Origin::Machine { .. }))
    }

    #[test]
    fn the_jobs_machine_decides_unless_the_user_names_another_or_none() {
        assert!(!is_tuned(in_job(&MACHINE, "", None)));
        assert!(is_tuned(in_job(&MACHINE, "", Some("hpc7g"))));
        assert!(!is_tuned(in_job(&MACHINE, "none", Some("hpc7g"))));
        assert!(!is_tuned(in_job(&MACHINE, "epyc-2core", Some("hpc7g"))));
        assert!(is_tuned(in_job(&MACHINE, "hpc7g", None)));
        let error = in_job(&MACHINE, "hpc9z", None).unwrap_err();
        assert!(error.text.contains("DUNLIN_MACHINE: there is no model"), "{error}");
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
