//! How far an engine looked. A bound that is present was in force; a row that it cut is at most `bounded`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The bounds of a run; all optional.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Bounds {
    /// Schedules that were sampled, one execution each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedules: Option<u64>,
    /// Times that a loop was unrolled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unwind: Option<u64>,
    /// Changes of the running thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_switches: Option<u64>,
    /// Switches away from a thread that could have gone on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preemptions: Option<u64>,
    /// Visible operations of one execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// Instructions of one execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction_limit: Option<u64>,
    /// Threads alive at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u64>,
    /// Bits of a hash table that may take two states for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bitstate_bits: Option<u64>,
    /// Wall-clock limit, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Memory limit, in megabytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
    /// Sentences of an engine's own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other: Vec<String>,
}

impl Bounds {
    /// One sentence for each bound, in a fixed order.
    pub fn sentences(&self) -> Vec<String> {
        let plural = |n: u64, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let mut lines = Vec::new();
        if let Some(n) = self.schedules {
            lines.push(format!("{} sampled", plural(n, "schedule", "schedules")));
        }
        if let Some(n) = self.unwind {
            lines.push(format!("loops unrolled at most {} (--unwind)", plural(n, "time", "times")));
        }
        if let Some(n) = self.context_switches {
            lines.push(format!(
                "at most {} (--context-switches)",
                plural(n, "context switch", "context switches")
            ));
        }
        if let Some(n) = self.preemptions {
            lines.push(format!("at most {} (--preemptions)", plural(n, "preemption", "preemptions")));
        }
        if let Some(n) = self.depth {
            lines.push(format!(
                "executions of at most {}",
                plural(n, "visible operation", "visible operations")
            ));
        }
        if let Some(n) = self.instruction_limit {
            lines.push(format!("executions of at most {}", plural(n, "instruction", "instructions")));
        }
        if let Some(n) = self.threads {
            lines.push(format!("at most {} (--max-threads)", plural(n, "thread", "threads")));
        }
        if let Some(n) = self.bitstate_bits {
            lines.push(format!("bitstate table of {n} bits: distinct states may collide"));
        }
        if let Some(n) = self.time_ms {
            lines.push(format!("time limit {}.{:03} s (--timeout)", n / 1000, n % 1000));
        }
        if let Some(n) = self.memory_mb {
            lines.push(format!("memory limit {n} MB (--memory-limit)"));
        }
        lines.extend(self.other.iter().cloned());
        lines
    }

    /// Whether no bound was in force.
    pub fn is_empty(&self) -> bool {
        *self == Bounds::default()
    }
}
