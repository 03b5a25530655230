//! The nearest of several names to one that is not among them, for messages: *did you mean*.

/// More letters than this are another word.
const MOST: usize = 3;

/// The name that differs least, if it differs little.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let far = MOST.min(name.chars().count().div_ceil(2));
    let near = known.into_iter().map(|other| (distance(name, other), other));
    near.filter(|(letters, _)| *letters <= far).min().map(|(_, other)| other)
}

/// How many letters differ (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let best = (row[j + 1] + 1).min(row[j] + 1).min(diagonal + usize::from(x != *y));
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances_of_names() {
        assert_eq!(distance("push", "push"), 0);
        assert_eq!(distance("psuh", "push"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("queue_pop", "queue_pull"), 3);
    }

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["unwind", "engine", "timeout"];
        assert_eq!(nearest("unwnd", known), Some("unwind"));
        assert_eq!(nearest("enigne", known), Some("engine"));
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
    }
}
