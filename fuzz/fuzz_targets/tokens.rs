//! A mutator for languages: besides the fuzzer's own changes of bytes, words and lines of the text are copied, moved and
//! left out, and numbers are replaced by those at which things go wrong. Most results still parse, so that what comes
//! after the parser is reached.

const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "31",
    "32",
    "63",
    "64",
    "65",
    "128",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
];

/// Changes `data[..size]` in place; the result is the new size.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = u64::from(seed) | 1;
    if below(&mut random, 3) == 0 {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    let text = data[..size].to_vec();
    let lines = below(&mut random, 3) == 0;
    let mut parts: Vec<&[u8]> =
        if lines { text.split_inclusive(|b| *b == b'\n').collect() } else { words(&text) };
    if parts.is_empty() {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    for _ in 0..1 + below(&mut random, 3) {
        if parts.is_empty() {
            break;
        }
        let (from, to) = (below(&mut random, parts.len()), below(&mut random, parts.len()));
        match below(&mut random, 5) {
            0 => {
                parts.remove(to);
            }
            1 => parts.insert(to, parts[from]),
            2 => parts.swap(from, to),
            3 if !lines => {
                let number = (0..parts.len()).map(|i| (to + i) % parts.len());
                if let Some(at) = number.into_iter().find(|at| parts[*at][0].is_ascii_digit()) {
                    parts[at] = NUMBERS[below(&mut random, NUMBERS.len())].as_bytes();
                }
            }
            _ => parts[to] = parts[from],
        }
    }
    let changed = parts.concat();
    let length = changed.len().min(max_size);
    data[..length].copy_from_slice(&changed[..length]);
    length
}

/// Runs of letters and digits, and everything else one by one.
fn words(text: &[u8]) -> Vec<&[u8]> {
    let inside = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    text.chunk_by(|a, b| inside(a) && inside(b)).collect()
}

fn below(random: &mut u64, bound: usize) -> usize {
    *random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    ((*random >> 33) % bound as u64) as usize
}
