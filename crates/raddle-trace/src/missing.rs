//! Names that a program uses and no input defines.

use crate::trace::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MissingKind {
    Function,
    Object,
}

/// A function or an object without a definition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct MissingDefinition {
    pub kind: MissingKind,
    pub name: String,
    /// In how many places the program uses it.
    pub uses: u64,
    /// The first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

impl MissingDefinition {
    /// A line of a list.
    pub fn sentence(&self) -> String {
        let brackets = if self.kind == MissingKind::Function { "()" } else { "" };
        let times = match self.uses {
            1 => "used once".to_string(),
            uses => format!("used {uses} times"),
        };
        let at = self.place.as_ref().map_or(String::new(), |place| match self.uses {
            1 => format!(", at {place}"),
            _ => format!(", first at {place}"),
        });
        format!("{}{brackets}, {times}{at}", self.name)
    }
}
