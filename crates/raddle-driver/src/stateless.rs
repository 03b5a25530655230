//! The stateless engine: what it is asked, and what follows from what it saw.

use raddle_machine::Settings;
use raddle_stateless::{Config, Explored, explore};
use raddle_trace::{Observer, Property, PropertyResult, Report, Verdict};

use crate::check::Part;
use crate::error::DriverError;
use crate::explicit::wide_reason;
use crate::memory;
use crate::program::machine;

pub fn run(
    part: &Part,
    judged: &[Property],
    report: &mut Report,
    observer: &mut dyn Observer,
) -> Result<(), DriverError> {
    if judged.is_empty() {
        return Ok(());
    }
    let request = part.request;
    let settings = Settings { fuse_alone: false, ..part.settings() };
    let exploring = Settings { go_on_after_assertion: true, spurious_wakeups: false, ..settings.clone() };
    let watched = memory::Watched::new(&request.budget);
    let config = Config::new(judged.to_vec());
    let explorer = machine(&part.loaded.program, exploring)?;
    let explored = explore(&explorer, &config, &watched.budget, observer, &mut ());
    let machine = machine(&part.loaded.program, settings)?;
    for property in judged {
        let of_it = explored.found.iter().filter(|f| f.signature.property() == *property);
        let all = of_it.map(|f| (&f.signature, &f.moves[..]));
        let row = match part.violated(&machine, property, all, report)? {
            Some(row) => row,
            None => unviolated(part, property, &explored),
        };
        report.rows.push(row);
    }
    part.assumptions(explored.exposed, report);
    let stats = &mut report.stats;
    stats.add("executions", explored.executions);
    stats.add("blocked-executions", explored.blocked);
    stats.add("events", explored.events);
    stats.add("fruitless-reversals", explored.fruitless);
    stats.set("waiting-paths", explored.waiting as u64);
    stats.set("longest", explored.longest as u64);
    Ok(())
}

/// The row of a property of which no violation was found.
fn unviolated(part: &Part, property: &Property, explored: &Explored) -> PropertyResult {
    let row = |verdict, reason: String| PropertyResult::new(property.clone(), verdict).because(reason);
    let executions = explored.executions + explored.blocked;
    if let Some(reason) =
        part.ended_early(property, explored.unsupported.first(), explored.memory_fault.as_ref())
    {
        return row(Verdict::Unknown, reason);
    }
    if let Some((at, last)) = explored.wide_choices.first() {
        return row(Verdict::Unknown, wide_reason(part, at, *last));
    }
    if let Some(reason) = explored.stopped {
        return row(Verdict::Unknown, format!("{} ({executions} executions were seen)", reason.sentence()));
    }
    if let Some(at) = &explored.cut_at {
        let place = part.place(at);
        return row(
            Verdict::Bounded,
            format!(
                "no violation in {executions} executions; {} were cut, the last at {place}",
                explored.cut
            ),
        );
    }
    if let Some(reason) = part.undeclared_weak_order() {
        return row(Verdict::Bounded, reason);
    }
    PropertyResult::new(property.clone(), Verdict::Proved)
}
