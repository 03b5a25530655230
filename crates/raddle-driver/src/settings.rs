//! Settings of the machine: those of a request; and as text, for the script of a trace, and back.

use std::collections::BTreeMap;
use std::fmt::Write;

use raddle_machine::{Expression, Settings};
use raddle_trace::Property;

use crate::expressions::Expressions;
use crate::request::{CheckRequest, GivenFile, SemanticOptions, VolatileOrder};

/// The settings for a request, when `properties` of it are judged in one run.
pub fn of_request(request: &CheckRequest, properties: &[Property], invariants: &[Expression]) -> Settings {
    let semantics = &request.semantics;
    Settings {
        memory_safety: request.properties.contains(&Property::Memsafety),
        overflow: properties.contains(&Property::Overflow),
        spurious_wakeups: semantics.spurious_wakeups,
        malloc_may_fail: semantics.malloc_may_fail,
        reuse_addresses: semantics.reuse_addresses,
        clock_stands: semantics.clock_stands,
        local_limit: request.budget.max_instructions.unwrap_or(Settings::default().local_limit),
        // Invariants are evaluated after every operation.
        fuse_alone: invariants.is_empty(),
        go_on_after_assertion: false,
        invariants: invariants.to_vec(),
        coverage: Default::default(),
    }
}

pub fn to_map(
    settings: &Settings,
    semantics: &SemanticOptions,
    expressions: &Expressions,
) -> BTreeMap<String, String> {
    let mut map = BTreeMap::new();
    let mut put = |name: &str, value: String| {
        map.insert(name.to_string(), value);
    };
    put("memory-safety", settings.memory_safety.to_string());
    put("overflow", settings.overflow.to_string());
    put("spurious-wakeups", settings.spurious_wakeups.to_string());
    put("malloc-may-fail", settings.malloc_may_fail.to_string());
    put("reuse-addresses", settings.reuse_addresses.to_string());
    if settings.clock_stands {
        put("clock-stands", settings.clock_stands.to_string());
    }
    if let Some(order) = semantics.volatile {
        put("volatile", order.word().into());
    }
    put("local-limit", settings.local_limit.to_string());
    put("fuse-alone", settings.fuse_alone.to_string());
    put("fairness", semantics.fairness.to_string());
    if let Some(name) = &semantics.abstraction {
        put("abstraction", name.clone());
    }
    for (i, function) in semantics.havoc.iter().enumerate() {
        put(&format!("havoc-{i}"), function.clone());
    }
    for (i, model) in semantics.models.iter().enumerate() {
        put(&format!("model-{i}"), model.display().to_string());
    }
    // In order: the map sorts by text.
    for (i, text) in semantics.arguments.iter().enumerate() {
        put(&format!("argument-{i:04}"), text.clone());
    }
    for (i, text) in semantics.environment.iter().enumerate() {
        put(&format!("environment-{i:04}"), text.clone());
    }
    for (i, file) in semantics.files.iter().enumerate() {
        put(&format!("file-{i:04}"), format!("{}={}", hex(&file.contents), file.path));
    }
    if let Some(file) = &semantics.standard_input {
        put("standard-input", format!("{}={}", hex(&file.contents), file.path));
    }
    for (i, text) in expressions.invariants.iter().enumerate() {
        put(&format!("invariant-{i:04}"), text.clone());
    }
    for (i, (name, text)) in expressions.propositions.iter().enumerate() {
        put(&format!("proposition-{i:04}"), format!("{name}={text}"));
    }
    map
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// `CONTENTS=PATH`, the contents in hexadecimal digits.
fn given_file(text: &str) -> Option<GivenFile> {
    let (digits, path) = text.split_once('=')?;
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| match pair {
        [_, _] => u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok(),
        _ => None,
    };
    Some(GivenFile { path: path.to_string(), contents: pairs.map(byte).collect::<Option<Vec<u8>>>()? })
}

/// The settings of a script, but for the code of invariants; `Err` names the line that makes no sense.
pub fn from_map(map: &BTreeMap<String, String>) -> Result<(Settings, SemanticOptions, Expressions), String> {
    let mut settings = Settings::default();
    let mut semantics = SemanticOptions::default();
    let mut expressions = Expressions::default();
    for (name, value) in map {
        let wrong = || format!("the setting `{name}` of the trace has the invalid value `{value}`");
        let flag = || value.parse::<bool>().map_err(|_| wrong());
        match name.as_str() {
            "memory-safety" => settings.memory_safety = flag()?,
            "overflow" => settings.overflow = flag()?,
            "spurious-wakeups" => settings.spurious_wakeups = flag()?,
            "malloc-may-fail" => settings.malloc_may_fail = flag()?,
            "reuse-addresses" => settings.reuse_addresses = flag()?,
            "clock-stands" => settings.clock_stands = flag()?,
            "volatile" => semantics.volatile = Some(VolatileOrder::from_word(value).ok_or_else(wrong)?),
            "fairness" => semantics.fairness = flag()?,
            "fuse-alone" => settings.fuse_alone = flag()?,
            "local-limit" => settings.local_limit = value.parse().map_err(|_| wrong())?,
            "abstraction" => semantics.abstraction = Some(value.clone()),
            _ if name.starts_with("havoc-") => semantics.havoc.push(value.clone()),
            _ if name.starts_with("model-") => semantics.models.push(value.into()),
            _ if name.starts_with("argument-") => semantics.arguments.push(value.clone()),
            _ if name.starts_with("environment-") => semantics.environment.push(value.clone()),
            "standard-input" => semantics.standard_input = Some(given_file(value).ok_or_else(wrong)?),
            _ if name.starts_with("file-") => semantics.files.push(given_file(value).ok_or_else(wrong)?),
            _ if name.starts_with("invariant-") => expressions.invariants.push(value.clone()),
            _ if name.starts_with("proposition-") => {
                let (name, text) = value.split_once('=').ok_or_else(wrong)?;
                expressions.propositions.push((name.into(), text.into()));
            }
            _ => return Err(format!("the trace has the unknown setting `{name}`")),
        }
    }
    Ok((settings, semantics, expressions))
}
