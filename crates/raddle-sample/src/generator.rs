//! A small deterministic random generator (splitmix64, Steele, Lea, Flood 2014): the same seed gives the same schedules
//! on every machine and in every version.

#[derive(Clone, Debug)]
pub struct Generator(u64);

impl Generator {
    pub fn new(seed: u64) -> Self {
        Generator(seed)
    }
    /// A generator for the `run`-th schedule of a seed.
    pub fn for_run(seed: u64, run: u64) -> Self {
        let mut g = Generator(seed ^ run.wrapping_mul(0xd134_2543_de82_ef95));
        g.next();
        g
    }
    #[allow(clippy::should_implement_trait)] // It never ends.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number below `bound` (at least 1).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound.max(1) as u128) >> 64) as u64
    }
    /// True once in `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A value for a choice. Input is drawn from where bugs live: small numbers, the ends of the range, few bits, and
    /// evenly.
    pub fn choice(&mut self, request: raddle_machine::ChoiceRequest) -> u64 {
        use raddle_machine::ChoiceKind::*;
        let last = request.last;
        match request.kind {
            Pick => self.up_to(last),
            SpuriousFailure => u64::from(self.one_in(8)),
            Input { .. } | Indeterminate { .. } => match self.below(4) {
                0 => self.up_to(last.min(3)),
                1 => last - self.up_to(last.min(2)),
                2 => {
                    let bits = self.below(64) + 1;
                    self.next() & last & (u64::MAX >> (64 - bits))
                }
                _ => self.up_to(last),
            },
        }
    }

    fn up_to(&mut self, last: u64) -> u64 {
        if last == u64::MAX { self.next() } else { self.below(last + 1) }
    }
}
