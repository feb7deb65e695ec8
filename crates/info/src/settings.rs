//! The settings: what they do, to what they are set, and by whom.

use dunlin_base::settings::{Setting, TABLE};
use serde::Serialize;

use crate::Answer;
use crate::paint::{DIM, GOOD, TITLE, painted, wrapped};

/// Columns before the explanations.
const INDENT: usize = 6;

/// All settings.
#[derive(Debug, Serialize)]
pub struct Settings(Vec<State>);

#[derive(Debug, Serialize)]
struct State {
    name: &'static str,
    value: String,
    set_by: &'static str,
    default: &'static str,
    doc: &'static str,
}

/// The user's settings, or all of them, as the environment has them.
pub fn collect(all: bool) -> Settings {
    let wanted = TABLE.iter().filter(|setting| all || !setting.internal);
    Settings(wanted.map(state).collect())
}

fn state(setting: &Setting) -> State {
    let given = std::env::var_os(setting.name);
    let set_by = if given.is_some() { "environment" } else { "default" };
    let given = given.map(|value| value.to_string_lossy().into_owned());
    let value = given.unwrap_or_else(|| setting.default.to_string());
    State { name: setting.name, value, set_by, default: setting.default, doc: setting.doc }
}

impl Answer for Settings {
    fn text(&self) -> String {
        let mut text = format!("{}\n", painted(TITLE, "Settings (environment variables)"));
        for state in &self.0 {
            let shown = |value: &str| if value.is_empty() { "-".into() } else { value.to_string() };
            let (name, value) = (painted(TITLE, state.name), shown(&state.value));
            let line = match state.set_by {
                "default" => format!("  {name} = {value}  {}\n", painted(DIM, "default")),
                by => {
                    let value = painted(GOOD, &value);
                    format!("  {name} = {value}  {by}; default: {}\n", shown(state.default))
                }
            };
            text.push_str(&line);
            text.push_str(&wrapped(state.doc, INDENT));
        }
        text
    }
}
