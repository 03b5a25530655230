//! Placeholder until the race monitor is merged.
use crate::fault::CodePoint;
use crate::thread::{Hold, ThreadIndex};
use crate::watch::Watch;
#[derive(Clone, Debug)]
pub struct RaceAccess { pub thread: ThreadIndex, pub at: CodePoint, pub user: CodePoint, pub write: bool, pub atomic: bool, pub length: u32, pub sequence: u64, pub stack: Option<Vec<CodePoint>>, pub holds: Vec<Hold> }
#[derive(Clone, Debug)]
pub struct Race { pub first: RaceAccess, pub second: RaceAccess, pub pointer: u64, pub length: u32 }
#[derive(Clone, Debug, Default)]
pub struct RaceMonitor { races: Vec<Race> }
impl RaceMonitor {
    pub fn new() -> Self { Self::default() }
    pub fn detailed() -> Self { Self::default() }
    pub fn take_new(&mut self) -> Vec<Race> { std::mem::take(&mut self.races) }
}
impl Watch for RaceMonitor {}
