//! What the executions behind an answer reached: a proof of a program that does nothing proves little.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of the user's code was executed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Reached {
    /// Functions of the user's sources that some execution entered.
    pub functions_reached: u64,
    /// Functions that the sources define.
    pub functions_defined: u64,
    /// Threads that one execution created at most, the first one not counted.
    pub threads_created: u64,
    /// Nothing was cut: no execution reaches more. Otherwise the numbers are what was seen.
    pub complete: bool,
    /// Why a proof says less than it seems to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Reached {
    /// The sentence that is printed.
    pub fn sentence(&self) -> String {
        let plural = |n: u64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        let least = if self.complete { "" } else { "at least " };
        format!(
            "reached: {least}{} of {}; {least}{} created",
            self.functions_reached,
            plural(self.functions_defined, "function"),
            plural(self.threads_created, "thread")
        )
    }
}
