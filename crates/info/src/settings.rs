//! The settings: what they do, to what they are set, and by whom.

use dunlin_base::settings::{Origin, Scope, Setting, Settings as Values, TABLE};
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
    kind: String,
    scope: &'static str,
    default: &'static str,
    doc: &'static str,
}

/// The user's settings, or all of them.
pub fn collect(values: &Values, all: bool) -> Settings {
    let wanted = TABLE.iter().filter(|setting| all || setting.scope != Scope::Identity);
    Settings(wanted.map(|setting| state(values, setting)).collect())
}

fn state(values: &Values, setting: &'static Setting) -> State {
    let Setting { name, kind, scope, default, doc } = setting;
    let (value, origin) = values.shown(setting);
    let set_by = match origin {
        Origin::Default => "default",
        Origin::Environment => "environment",
    };
    let (value, kind, scope) = (value.to_string(), kind.to_string(), scope.name());
    State { name, value, set_by, kind, scope, default, doc }
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
            let kind = painted(DIM, &format!("{}; {}", state.scope, state.kind));
            text.push_str(&wrapped(&kind, INDENT));
        }
        text
    }
}
