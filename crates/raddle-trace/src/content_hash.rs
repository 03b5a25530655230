//! A 128-bit fingerprint of file contents: FNV-1a (Fowler, Noll, Vo).
//!
//! It distinguishes "this is the program the trace was made from" from "the program changed". It is not a defence
//! against two files made with one fingerprint on purpose, and nothing here needs one: a trace that does not fit its
//! program is refused by the replay itself. That is why twenty lines do, and no cryptographic library is pulled in.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

const OFFSET_BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// The fingerprint of a sequence of bytes; prints as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ContentHash(pub u128);

impl ContentHash {
    /// The fingerprint of no bytes at all: where [`ContentHash::extend`] starts.
    pub const EMPTY: ContentHash = ContentHash(OFFSET_BASIS);

    /// The fingerprint of `bytes`.
    pub fn of(bytes: &[u8]) -> ContentHash {
        ContentHash::EMPTY.extend(bytes)
    }

    /// The fingerprint of what was hashed so far, followed by `bytes`.
    pub fn extend(self, bytes: &[u8]) -> ContentHash {
        ContentHash(bytes.iter().fold(self.0, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME)))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for ContentHash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() != 32 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(format!("`{text}` is not a content hash (32 hexadecimal digits)"));
        }
        u128::from_str_radix(text, 16).map(ContentHash).map_err(|e| e.to_string())
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for ContentHash {
    fn schema_name() -> Cow<'static, str> {
        "ContentHash".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "FNV-1a of the content of a file, 128 bits.",
            "pattern": "^[0-9a-f]{32}$",
        })
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_vectors() {
        assert_eq!(ContentHash::of(b"").to_string(), "6c62272e07bb014262b821756295c58d");
        assert_eq!(ContentHash::of(b"a").to_string(), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn extending_equals_hashing_at_once() {
        assert_eq!(ContentHash::of(b"ab").extend(b"cd"), ContentHash::of(b"abcd"));
    }

    #[test]
    fn round_trip_and_refusal() {
        let hash = ContentHash::of(b"lost update");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert!("12".parse::<ContentHash>().is_err());
        assert!("+1111111111111111111111111111111".parse::<ContentHash>().is_err());
    }
}
