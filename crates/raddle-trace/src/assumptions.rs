//! What an answer rests on. Each assumption has a stable code (for programs that read the JSON report) and a
//! sentence (for people).

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// One thing that was taken for granted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assumption {
    /// `malloc` never hands out a freed block again.
    NoAddressReuse,
    /// The program observes addresses, and only one layout of memory was considered.
    OneAddressLayout,
    /// `pthread_create` and `thrd_create` succeed.
    CreateNeverFails,
    /// `malloc` and its family succeed.
    MallocNeverFails,
    /// All threads see one order of all accesses, whatever their order and whether or not they race.
    SequentialConsistency,
    /// Condition variables wake up only when signalled.
    NoSpuriousWakeups,
    /// Every thread that stays enabled runs again at some time.
    Fairness,
    /// Race freedom was inferred for executions without memory faults.
    NoMemoryFault,
    /// Integer and pointer sizes of this data model.
    DataModel(String),
    /// The program was checked as the compiler made it at this level.
    OptimizedCode(String),
    /// A function without a body that the user declared to return anything and write anything through its arguments.
    Havoc(String),
    /// A file of models that the user has added.
    AddedModels(String),
    /// What a model that the user has added declares of itself.
    Declared(String),
    /// What a library model, or the way in which the program is started, fixes: a sentence.
    Fixed(String),
    /// A configuration file set what the program means: the file and its keys.
    Configuration(String),
    /// A sentence of an engine's own.
    Other(String),
}

impl Assumption {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Assumption::NoAddressReuse => "no-address-reuse",
            Assumption::OneAddressLayout => "one-address-layout",
            Assumption::CreateNeverFails => "create-never-fails",
            Assumption::MallocNeverFails => "malloc-never-fails",
            Assumption::SequentialConsistency => "sequential-consistency",
            Assumption::NoSpuriousWakeups => "no-spurious-wakeups",
            Assumption::Fairness => "fairness",
            Assumption::NoMemoryFault => "no-memory-fault",
            Assumption::DataModel(_) => "data-model",
            Assumption::OptimizedCode(_) => "optimized-code",
            Assumption::Havoc(_) => "havoc",
            Assumption::AddedModels(_) => "added-models",
            Assumption::Declared(_) => "declared",
            Assumption::Fixed(_) => "fixed",
            Assumption::Configuration(_) => "configuration",
            Assumption::Other(_) => "other",
        }
    }

    /// What the variant carries, if anything.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Assumption::DataModel(d)
            | Assumption::OptimizedCode(d)
            | Assumption::Havoc(d)
            | Assumption::AddedModels(d)
            | Assumption::Declared(d)
            | Assumption::Fixed(d)
            | Assumption::Configuration(d)
            | Assumption::Other(d) => Some(d),
            _ => None,
        }
    }

    /// The sentence that is printed.
    pub fn sentence(&self) -> String {
        match self {
            Assumption::NoAddressReuse => {
                "freed addresses are never reused (--reuse-addresses lifts this)".into()
            }
            Assumption::OneAddressLayout => {
                "the program observes addresses; one address layout was explored".into()
            }
            Assumption::CreateNeverFails => "thread creation never fails".into(),
            Assumption::MallocNeverFails => "malloc never fails (--malloc-may-fail lifts this)".into(),
            Assumption::SequentialConsistency => {
                "memory is sequentially consistent, including racy, volatile and weaker-than-seq_cst accesses"
                    .into()
            }
            Assumption::NoSpuriousWakeups => {
                "condition variables never wake up spuriously (--no-spurious-wakeups)".into()
            }
            Assumption::Fairness => "weak fairness: a continuously enabled thread eventually runs".into(),
            Assumption::NoMemoryFault => {
                "no execution has a memory fault (freedom from races was inferred; `memsafety` is not proved)"
                    .into()
            }
            Assumption::DataModel(model) => format!("data model {model}"),
            Assumption::OptimizedCode(level) => {
                format!(
                    "the code checked is the compiler's output at --optimize {level}; race and overflow are judged on the code as it was written"
                )
            }
            Assumption::Havoc(function) => {
                format!(
                    "`{function}` returns any value (a pointer: null or a new object), writes any value to what its \
                     pointer arguments point to, leaves pointers there as they are, reads nothing, and changes \
                     nothing else (--havoc)"
                )
            }
            Assumption::AddedModels(file) => format!("the models in {file} are correct"),
            Assumption::Declared(what) => format!("a model from --models declares {what}"),
            Assumption::Configuration(keys) => format!("what the program means was set by {keys}"),
            Assumption::Fixed(sentence) | Assumption::Other(sentence) => sentence.clone(),
        }
    }

    /// The variant for a code, or `Other` with the sentence when the code is not known here.
    pub fn from_parts(code: &str, detail: Option<String>, sentence: String) -> Assumption {
        let detail_text = || detail.clone().unwrap_or_default();
        match code {
            "no-address-reuse" => Assumption::NoAddressReuse,
            "one-address-layout" => Assumption::OneAddressLayout,
            "create-never-fails" => Assumption::CreateNeverFails,
            "malloc-never-fails" => Assumption::MallocNeverFails,
            "sequential-consistency" => Assumption::SequentialConsistency,
            "no-spurious-wakeups" => Assumption::NoSpuriousWakeups,
            "fairness" => Assumption::Fairness,
            "no-memory-fault" => Assumption::NoMemoryFault,
            "data-model" => Assumption::DataModel(detail_text()),
            "optimized-code" => Assumption::OptimizedCode(detail_text()),
            "havoc" => Assumption::Havoc(detail_text()),
            "added-models" => Assumption::AddedModels(detail_text()),
            "declared" => Assumption::Declared(detail_text()),
            "fixed" => Assumption::Fixed(detail_text()),
            "configuration" => Assumption::Configuration(detail_text()),
            _ => Assumption::Other(sentence),
        }
    }
}

/// An assumption: a stable code for programs, a sentence for readers.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Record {
    code: String,
    /// What the code is about, where it needs that: a function, a file, a data model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(default)]
    sentence: String,
}

impl Serialize for Assumption {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let detail =
            if matches!(self, Assumption::Other(_)) { None } else { self.detail().map(str::to_string) };
        Record { code: self.code().into(), detail, sentence: self.sentence() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Assumption {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let record = Record::deserialize(deserializer)?;
        Ok(Assumption::from_parts(&record.code, record.detail, record.sentence))
    }
}

impl JsonSchema for Assumption {
    fn schema_name() -> Cow<'static, str> {
        "Assumption".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Record::json_schema(generator)
    }
}

/// A set of assumptions, in a fixed order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Assumptions(BTreeSet<Assumption>);

impl Assumptions {
    /// No assumption yet.
    pub fn new() -> Assumptions {
        Assumptions::default()
    }

    /// Adds one; adding it twice is the same as once.
    pub fn add(&mut self, assumption: Assumption) {
        self.0.insert(assumption);
    }

    /// Takes one back that something else has made unnecessary.
    pub fn remove(&mut self, assumption: &Assumption) {
        self.0.remove(assumption);
    }

    /// Adds all of another set.
    pub fn merge(&mut self, other: &Assumptions) {
        self.0.extend(other.0.iter().cloned());
    }

    /// In the order of printing.
    pub fn iter(&self) -> impl Iterator<Item = &Assumption> {
        self.0.iter()
    }

    /// Whether nothing was assumed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this one was assumed.
    pub fn contains(&self, assumption: &Assumption) -> bool {
        self.0.contains(assumption)
    }
}

impl FromIterator<Assumption> for Assumptions {
    fn from_iter<I: IntoIterator<Item = Assumption>>(iter: I) -> Self {
        Assumptions(iter.into_iter().collect())
    }
}
