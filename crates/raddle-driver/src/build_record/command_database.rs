//! `compile_commands.json` of a store, made from its units. Units whose source is gone, and links of such, as a
//! configuration test leaves them, are removed.

use std::fs::File;
use std::time::{Duration, SystemTime};

use raddle_clang::temporary::Beside;
use serde_json::json;

use super::{Link, Part, Store, Unit};

/// With more units than this, the database is not made anew after each of them.
const FEW: usize = 500;
/// ... but so long after the last time, and after each link step.
const PAUSE: Duration = Duration::from_secs(2);

/// Makes the database anew. Runs side by side wait for each other; one whose unit was already seen by another does nothing.
pub fn update(store: &Store, written: SystemTime, linked: bool) -> std::io::Result<()> {
    let lock = File::options().create(true).append(true).open(store.0.join("lock"))?;
    lock.lock()?;
    let made = lock.metadata()?.modified()?;
    let database = store.0.join("compile_commands.json");
    if made > written && database.is_file() {
        return Ok(());
    }
    let many = || std::fs::read_dir(store.0.join("units")).is_ok_and(|units| units.count() > FEW);
    let lately = made.elapsed().is_ok_and(|time| time < PAUSE) && database.is_file();
    if !linked && lately && many() {
        return Ok(());
    }
    // The time of the lock is when reading began.
    lock.set_modified(SystemTime::now())?;
    let mut entries = Vec::new();
    for (path, unit) in store.all::<Unit>("units") {
        if !unit.directory.join(&unit.file).is_file() {
            let _ = std::fs::remove_file(path);
            continue;
        }
        entries.push(json!({
            "directory": unit.directory,
            "file": unit.file,
            "arguments": unit.arguments,
            "output": unit.output,
        }));
    }
    for (path, link) in store.all::<Link>("links") {
        let is_gone =
            |part: &Part| matches!(part, Part::Unit(unit) if !unit.directory.join(&unit.file).is_file());
        if !link.output.exists() && link.parts.iter().any(is_gone) {
            let _ = std::fs::remove_file(path);
        }
    }
    let text = serde_json::to_string_pretty(&entries).map_err(std::io::Error::other)?;
    Beside::new(&database)?.finish_soon(text.as_bytes())
}
