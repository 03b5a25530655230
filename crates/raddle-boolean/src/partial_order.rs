//! Which partial order reductions are used.

use std::fmt;
use std::str::FromStr;

/// Reductions, each on or off; they may be combined.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PartialOrder {
    /// A step that is independent of everything that other threads ever do is taken alone.
    pub ample: bool,
    /// Threads that never touch anything in common are explored apart.
    pub persistent: bool,
    /// A thread goes on until its next step has to do with what the others do before they are interrupted.
    pub cartesian: bool,
}

impl PartialOrder {
    /// No reduction.
    pub const NONE: PartialOrder = PartialOrder { ample: false, persistent: false, cartesian: false };

    pub fn is_none(self) -> bool {
        self == PartialOrder::NONE
    }

    /// Every combination, none of them first.
    pub fn all() -> [PartialOrder; 8] {
        std::array::from_fn(|bits| PartialOrder {
            ample: bits & 1 == 1,
            persistent: bits & 2 == 2,
            cartesian: bits & 4 == 4,
        })
    }
}

impl fmt::Display for PartialOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [(self.ample, "ample"), (self.persistent, "persistent"), (self.cartesian, "cartesian")];
        let words: Vec<&str> = words.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect();
        f.write_str(&if words.is_empty() { "none".to_owned() } else { words.join("+") })
    }
}

impl FromStr for PartialOrder {
    type Err = String;

    /// `none`, `all`, or names with `+` between them.
    fn from_str(text: &str) -> Result<PartialOrder, String> {
        let mut all = PartialOrder::NONE;
        match text {
            "none" => return Ok(all),
            "all" => return Ok(PartialOrder { ample: true, persistent: true, cartesian: true }),
            _ => {}
        }
        for word in text.split('+') {
            match word {
                "ample" => all.ample = true,
                "persistent" => all.persistent = true,
                "cartesian" => all.cartesian = true,
                other => return Err(format!("there is no reduction `{other}`")),
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::PartialOrder;

    #[test]
    fn what_is_written_is_read() {
        for order in PartialOrder::all() {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        assert_eq!("all".parse(), Ok(PartialOrder::all()[7]));
        assert!("ample+".parse::<PartialOrder>().is_err());
    }
}
