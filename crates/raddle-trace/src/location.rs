//! Which bytes an access touches. A C path is what the programmer wrote at that place: one object can have several
//! (`*p`, `x`), and several objects can have one (a local variable of two threads). A location is the same for the same
//! bytes, whatever they are called, so that readers of a trace can follow a variable through it.
//!
//! Addresses mean something inside one trace only. In traces of Boolean programs and thread transition systems each
//! variable of each frame has a number of its own, and the length is 1.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A range of bytes; prints as `0x1000+4`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    pub address: u64,
    pub length: u32,
}

impl Location {
    pub fn new(address: u64, length: u32) -> Location {
        Location { address, length }
    }

    /// Whether a byte belongs to both.
    pub fn overlaps(self, other: Location) -> bool {
        let apart =
            |from: Location, to: Location| to.address.wrapping_sub(from.address) < u64::from(from.length);
        (self.length > 0 && other.length > 0) && (apart(self, other) || apart(other, self))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}+{}", self.address, self.length)
    }
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.strip_prefix("0x").and_then(|rest| rest.split_once('+'));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit());
        let read = parts.filter(|(address, length)| digits(address) && digits(length)).and_then(
            |(address, length)| {
                Some(Location::new(u64::from_str_radix(address, 16).ok()?, length.parse().ok()?))
            },
        );
        read.ok_or_else(|| format!("`{text}` is not a location (such as 0x1000+4)"))
    }
}

impl Serialize for Location {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Location {
    fn schema_name() -> Cow<'static, str> {
        "Location".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A range of bytes, as address and length. Addresses mean something inside one trace only.",
            "pattern": "^0x[0-9a-f]+\\+[0-9]+$",
        })
    }
}

impl<'de> Deserialize<'de> for Location {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_and_refusal() {
        let extreme = Location::new(u64::MAX, u32::MAX);
        assert_eq!(extreme.to_string().parse(), Ok(extreme));
        for wrong in
            ["", "0x", "12+4", "0x12", "0x12+", "0x+1", "0x+12+1", "0x12+-1", "0x1ffffffffffffffff+1"]
        {
            assert!(wrong.parse::<Location>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn overlapping() {
        let at = |address, length| Location::new(address, length);
        assert!(at(8, 4).overlaps(at(11, 1)) && at(11, 1).overlaps(at(8, 4)));
        assert!(!at(8, 4).overlaps(at(12, 4)) && !at(12, 4).overlaps(at(8, 4)));
        assert!(!at(8, 0).overlaps(at(8, 4)) && at(u64::MAX, 1).overlaps(at(u64::MAX - 1, 2)));
    }
}
