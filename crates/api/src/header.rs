//! Reads the values of constants from a header: `#define NAME value` on one line, and enumerators.

use std::collections::HashMap;

/// What a header defines.
#[derive(Debug, Default)]
pub struct Values {
    /// Names and values, as they stand there.
    defined: HashMap<String, String>,
}

/// A constant's value.
#[derive(Debug, PartialEq, Eq)]
pub struct Value<'a> {
    /// The type it is cast to, if it is.
    pub cast: Option<&'a str>,
    /// The number.
    pub number: &'a str,
}

impl Values {
    /// Reads the text of a header.
    pub fn read(text: &str) -> Values {
        let mut values = Values::default();
        for line in text.lines() {
            let enumerator = || line.trim().trim_end_matches(',').split_once('=');
            let define = line.strip_prefix("#define ").and_then(|d| d.split_once(' '));
            if let Some((name, value)) = define.or_else(enumerator) {
                values.defined.insert(name.trim().to_string(), value.trim().to_string());
            }
        }
        values
    }

    /// The names that begin with `MPI_`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.defined.keys().map(String::as_str).filter(|n| n.starts_with("MPI_"))
    }

    /// The name that this one is another name of.
    pub fn synonym_of(&self, name: &str) -> Option<&str> {
        self.defined.get(name).filter(|v| self.defined.contains_key(*v)).map(String::as_str)
    }

    /// The value of a constant.
    pub fn get(&self, name: &str) -> Option<Value<'_>> {
        let value = self.defined.get(self.synonym_of(name).unwrap_or(name))?;
        if let Some((cast, number)) = cast(value) {
            return Some(Value { cast: Some(cast), number });
        }
        let number = value.trim_matches(['(', ')']);
        let is_number = number.parse::<i32>().is_ok() || number.starts_with("0x");
        is_number.then_some(Value { cast: None, number })
    }
}

/// `((type) number)` in its two parts.
fn cast(c: &str) -> Option<(&str, &str)> {
    let (ty, number) = c.strip_prefix("((")?.strip_suffix(')')?.split_once(')')?;
    Some((ty, number.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_casts_and_synonyms_have_the_value_of_their_original() {
        let values = Values::read(
            "#define MPI_INT    ((MPI_Datatype) 0x209)\n#define MPI_ALIAS  MPI_INT\n\
             #define MPI_ROOT   (-4)\n    MPI_T_SOURCE_ORDERED = 1,\n#define MPI_H_ABI\n",
        );
        let int = Value { cast: Some("MPI_Datatype"), number: "0x209" };
        assert_eq!(values.get("MPI_ALIAS").as_ref(), Some(&int));
        assert_eq!(values.synonym_of("MPI_ALIAS"), Some("MPI_INT"));
        assert_eq!(values.get("MPI_ROOT"), Some(Value { cast: None, number: "-4" }));
        let enumerator = Some(Value { cast: None, number: "1" });
        assert_eq!(values.get("MPI_T_SOURCE_ORDERED"), enumerator);
        assert_eq!(values.get("MPI_H_ABI"), None);
    }
}
