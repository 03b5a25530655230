//! Reports which properties are violated while others are still being checked.

use raddle_trace::{Observer, Progress, Property, Trace};

/// An observer that receives what is known to be violated.
pub struct Known<'a> {
    pub observer: &'a mut dyn Observer,
    pub violated: Vec<Property>,
}

impl Observer for Known<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.observer.progress(&Progress { violated: self.violated.clone(), ..progress.clone() });
    }

    fn violated(&mut self, property: &Property, trace: &Trace) {
        self.observer.violated(property, trace);
    }
}
