//! Configuration and result of the explicit-state search.

pub mod abstraction_function;
pub mod breadth_first;
pub mod counterexample;
pub mod depth_first;
pub mod expressions;
pub mod fast_path;
pub mod input_narrowing;
pub mod input_values;
pub mod meter;
pub mod race_by_state;
pub mod race_completeness;
pub mod successors;
pub mod worker;

use std::sync::Arc;

use raddle_ir::{FunctionId, Program};
use raddle_machine::drive::Move;
use raddle_machine::{CodePoint, Settings, Signature, TooLarge};
use raddle_trace::{AfterFinding, Budget, Observer, Property, StopReason};

use crate::search::input_values::{Choosing, Sample};
use crate::search::race_completeness::UnorderedOperation;
use crate::search::successors::Rules;

#[derive(Clone, Debug)]
pub struct Config {
    pub properties: Vec<Property>,
    /// Steps of one superstep at most; 1 for none.
    pub superstep: u32,
    /// Ample sets from static future footprints.
    pub ample: bool,
    /// Ample sets use the locks that a thread holds: `reduction/lock_pattern.rs`.
    pub patterns: bool,
    /// Ample sets use the accesses that are marked as guarded: `reduction/ample/guarded.rs`.
    pub guards: bool,
    /// Sleep sets; breadth-first only.
    pub sleep: bool,
    /// Symmetry reduction over interchangeable threads.
    pub symmetry: bool,
    /// Supersteps also with a bound on switches, which are then counted between supersteps (as in the paper): runs
    /// within the bound may be omitted.
    pub superstep_within_bounds: bool,
    pub context_switches: Option<u64>,
    pub preemptions: Option<u64>,
    /// With a bound on switches it is the order of their number, whatever is given here.
    pub order: Order,
    /// Anything but `Exact` is searched depth-first.
    pub storage: Storage,
    /// States are matched by this function; breadth-first, by one worker.
    pub abstraction: Option<FunctionId>,
    /// Answers to one choice that are explored; more are too many.
    pub choices: u64,
    /// Of a choice with more, so many are explored all the same: never a proof.
    pub sample: Option<Sample>,
    /// A breadth-first search ends with the level in which there are more states.
    pub max_states: Option<u64>,
}

/// Which states are expanded first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    #[default]
    Breadth,
    Depth,
}

/// How visited states are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Storage {
    #[default]
    Exact,
    /// By a hash of 64 bits (hash compaction).
    Compact,
    /// By so many bits of an array (bitstate hashing).
    Bitstate { megabytes: u64, hashes: u32 },
}

impl Config {
    /// Steps of a superstep, by default.
    pub const SUPERSTEP: u32 = 1000;

    pub fn new(properties: Vec<Property>) -> Config {
        Config {
            properties,
            superstep: Config::SUPERSTEP,
            ample: true,
            patterns: true,
            guards: true,
            sleep: false,
            symmetry: true,
            superstep_within_bounds: false,
            context_switches: None,
            preemptions: None,
            order: Order::Breadth,
            storage: Storage::Exact,
            abstraction: None,
            choices: 1 << 10,
            sample: None,
            max_states: None,
        }
    }

    pub(crate) fn rules(&self, settings: &Settings) -> Rules {
        let asked = |p: Property| self.properties.contains(&p);
        // The end of the process depends on every step when leaks are checked.
        let bounded = self.context_switches.is_some() || self.preemptions.is_some();
        let reduced = !asked(Property::Leak) && !bounded;
        let superstep = reduced || !asked(Property::Leak) && self.superstep_within_bounds;
        Rules {
            superstep: if superstep { self.superstep } else { 1 },
            // With reuse, every allocation and every free are about the same blocks.
            ample: reduced && self.ample && !settings.reuse_addresses,
            patterns: self.patterns,
            guards: self.guards,
            sleep: reduced && self.sleep && self.abstraction.is_none() && self.order == Order::Breadth,
            symmetry: reduced && self.symmetry && self.abstraction.is_none(),
            races: asked(Property::Race),
            deadlocks: asked(Property::Deadlock),
            leaks: asked(Property::Leak),
            choices: Choosing { most: self.choices, sample: self.sample },
        }
    }
}

/// Why a search ended before every state was visited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Budget(StopReason),
    Memory,
    /// The store can number no more states.
    Full,
    /// Enough after a violation.
    AfterViolation,
    /// As many as were allowed.
    States,
}

/// A violation, with schedules that show it: the first that does on the machine is the one.
#[derive(Clone, Debug)]
pub struct Discovery {
    pub property: Property,
    /// `None`: determined by the replay (races).
    pub signature: Option<Signature>,
    pub schedules: Vec<Vec<Move>>,
    /// A race between an access in an atomic section and one that the section blocks. It need not be one: the run may
    /// end before the section does, or the section may order the two by an access before this one.
    pub in_section: bool,
}

/// The result of the search.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    pub discoveries: Vec<Discovery>,
    pub states: u64,
    /// Transitions from one stored state to another.
    pub transitions: u64,
    /// Steps of the machine.
    pub steps: u64,
    /// Levels of the breadth-first search.
    pub depth: u64,
    /// Of the store.
    pub bytes: u64,
    /// Different threads and objects, and pairs below the roots.
    pub components: u64,
    pub pairs: u64,
    pub stopped: Option<Stop>,
    /// The time of the search alone.
    pub milliseconds: u64,
    /// The probability that a state was omitted by a collision, if that can be.
    pub omission: Option<f64>,
    /// States were matched by a function; why it had no value for some.
    pub matched: bool,
    pub matching_trouble: Option<String>,
    /// A bound on switches cut something.
    pub cut: bool,
    /// Every state that needs at most so many switches, of the kind that is bounded, was expanded; given for a search
    /// that stopped before its bound.
    pub finished_bound: Option<u64>,
    pub unsupported: Vec<(String, CodePoint)>,
    pub memory_fault: Option<CodePoint>,
    pub wide_choices: Vec<(CodePoint, u64)>,
    /// Choices of which only a sample of the answers was explored.
    pub sampled_choices: Vec<(CodePoint, u64)>,
    /// Why the absence of races by state proves nothing.
    pub unordered: Option<UnorderedOperation>,
    /// Pointers became integers or the other way round: names of objects were kept.
    pub exposed: bool,
    pub superstep: u32,
    /// How often a step was taken alone only because of a lock that its thread holds.
    pub behind_locks: u64,
    /// How often only because its access is guarded.
    pub by_guards: u64,
    /// Invariants that had no value in some state, and why.
    pub troubles: Vec<(String, String)>,
}

/// Explores a program.
pub fn explore(
    program: &Arc<Program>,
    settings: &Settings,
    config: &Config,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Explored, TooLarge> {
    let bounded = config.context_switches.is_some() || config.preemptions.is_some();
    let deep =
        config.abstraction.is_none() && (config.order == Order::Depth || config.storage != Storage::Exact);
    let search = if deep && !bounded { depth_first::search } else { breadth_first::search };
    let start = std::time::Instant::now();
    let known = budget.effort.finding();
    let mut explored = match search(program, settings, config, budget, observer, true)? {
        Some(explored) => explored,
        // Addresses matter: once more, with every object's own name.
        None => {
            budget.effort.retract_to(known);
            let mut explored = search(program, settings, config, budget, observer, false)?
                .expect("without renaming nothing can be exposed");
            explored.exposed = true;
            explored
        }
    };
    if budget.workers > 1 && config.abstraction.is_none() && !explored.discoveries.is_empty() {
        find_again(program, settings, config, budget, &mut explored)?;
    }
    explored.milliseconds = start.elapsed().as_millis() as u64;
    Ok(explored)
}

/// Which of the nearest counterexamples several workers find depends on their speed. One worker finds the same ones
/// every time; it looks for what is violated only, and so ends at their level.
fn find_again(
    program: &Arc<Program>,
    settings: &Settings,
    config: &Config,
    budget: &Budget,
    explored: &mut Explored,
) -> Result<(), TooLarge> {
    let mut properties = config.properties.clone();
    properties.retain(|p| explored.discoveries.iter().any(|d| d.property == *p));
    let (after_finding, effort) = (AfterFinding::Continue, Arc::default());
    let alone = Budget { workers: 1, after_finding, effort, ..budget.clone() };
    let config = Config { properties: properties.clone(), ..config.clone() };
    let again = explore(program, settings, &config, &alone, &mut raddle_trace::Silent)?;
    for property in properties {
        // The time may be up.
        if again.discoveries.iter().any(|d| d.property == property) {
            explored.discoveries.retain(|d| d.property != property);
            explored.discoveries.extend(again.discoveries.iter().filter(|d| d.property == property).cloned());
        }
    }
    Ok(())
}
