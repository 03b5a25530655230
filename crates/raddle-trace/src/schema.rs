//! The JSON Schema (draft 2020-12) of traces and reports, made from the types that are written: the names, the types and
//! which fields can be absent cannot drift from them. Types with a text form of their own (properties, hashes, locations)
//! give it as a pattern.
//!
//! Unknown fields are allowed: a later version of the same format may add some. What a schema cannot express, such as indices
//! that must exist, is checked by [`crate::Trace::validate`] only.

use crate::json::{ReportOut, TraceOut};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

/// The schema of `--format json`, ending in a newline.
pub fn report_schema() -> String {
    schema::<ReportOut<'_>>("raddle report")
}

/// The schema of `--save-trace`, ending in a newline.
pub fn trace_schema() -> String {
    schema::<TraceOut<'_>>("raddle trace")
}

fn schema<T: JsonSchema>(title: &str) -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".into(), title.into());
    // Maps with text keys and numbers: serialising cannot fail.
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema always serialises");
    text.push('\n');
    text
}
