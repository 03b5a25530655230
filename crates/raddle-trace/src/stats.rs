//! `name: value` statistics, in the order in which they were first set.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// The value of a statistic.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum StatValue {
    /// A count.
    Integer(u64),
    /// A rate or a share.
    Real(f64),
    /// Anything else.
    Text(String),
}

impl fmt::Display for StatValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StatValue::Integer(n) => write!(f, "{n}"),
            StatValue::Real(x) => write!(f, "{x:.3}"),
            StatValue::Text(text) => f.write_str(text),
        }
    }
}

impl From<u64> for StatValue {
    fn from(n: u64) -> Self {
        StatValue::Integer(n)
    }
}

impl From<usize> for StatValue {
    fn from(n: usize) -> Self {
        StatValue::Integer(n as u64)
    }
}

impl From<f64> for StatValue {
    fn from(x: f64) -> Self {
        StatValue::Real(x)
    }
}

impl From<&str> for StatValue {
    fn from(text: &str) -> Self {
        StatValue::Text(text.to_string())
    }
}

impl From<String> for StatValue {
    fn from(text: String) -> Self {
        StatValue::Text(text)
    }
}

/// Statistics of a run. Names are words joined by hyphens: `executions`, `peak-memory-kb`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stats {
    entries: Vec<(String, StatValue)>,
}

impl Stats {
    /// No statistics yet.
    pub fn new() -> Stats {
        Stats::default()
    }

    /// Sets a value; a name that is already there keeps its position.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<StatValue>) {
        let (name, value) = (name.into(), value.into());
        match self.entries.iter_mut().find(|(known, _)| *known == name) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((name, value)),
        }
    }

    /// Adds to a count, starting at 0. A value that is not a count is replaced.
    pub fn add(&mut self, name: &str, amount: u64) {
        let before = match self.get(name) {
            Some(StatValue::Integer(n)) => *n,
            _ => 0,
        };
        self.set(name, before.saturating_add(amount));
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&StatValue> {
        self.entries.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// In order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &StatValue)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Serialize for Stats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.entries.len()))?;
        for (name, value) in &self.entries {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl JsonSchema for Stats {
    fn schema_name() -> Cow<'static, str> {
        "Stats".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "Statistics by name, in the order of the text report.",
            "additionalProperties": generator.subschema_for::<StatValue>(),
        })
    }
}

impl<'de> Deserialize<'de> for Stats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Stats;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of statistics")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Stats, A::Error> {
                let mut stats = Stats::new();
                while let Some((name, value)) = map.next_entry::<String, StatValue>()? {
                    stats.set(name, value);
                }
                Ok(stats)
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
