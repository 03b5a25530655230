//! Inline assembler of x86 (and fences of others), as far as concurrent C uses it: fences, pauses, exchanges, updates with and without the `lock`
//! prefix, bit operations, moves, and what they leave in the flags. Text and constraints become a list of statements over
//! numbered operands; everything else is refused as a whole. What the statements do: `lower/assembler.rs`.
//!
//! The text is LLVM's: `$0` is an operand, `$$0` a number, `%` stands before registers. Operands are numbered by the
//! constraints, outputs first.

/// The parts of an `asm` that is understood.
#[derive(Debug)]
pub(crate) struct Assembler {
    pub statements: Vec<Statement>,
    pub operands: Vec<Constraint>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Statement {
    pub locked: bool,
    pub operation: Operation,
    /// By the letter after the word: `l` is 32.
    pub bits: Option<u8>,
    /// Sources before the destination.
    pub operands: Vec<Place>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    Pause,
    Fence,
    Move,
    Exchange,
    CompareExchange,
    ExchangeAdd,
    Add,
    Subtract,
    And,
    Or,
    Xor,
    Increment,
    Decrement,
    Not,
    BitSet,
    BitReset,
    BitComplement,
    SetIf(Condition),
    /// A register minus itself minus the carry.
    SubtractWithCarry,
}

/// A condition over the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    Zero(bool),
    Negative(bool),
    Carry(bool),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// An operand, read or written with so many bits.
    Operand(usize, Option<u8>),
    Number(u64),
    /// What the operand points to, some bytes further.
    Behind(usize, i64),
    /// Near the stack pointer.
    Stack,
}

/// One operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Constraint {
    pub is_output: bool,
    /// In memory, by its address.
    pub in_memory: bool,
    /// An input in the same register as this output.
    pub tied: Option<usize>,
    /// In this register, by number.
    pub register: Option<u8>,
    /// An output that is in no register of an input (`&`).
    pub early: bool,
    /// May be a number in the instruction; and may be a register.
    pub immediate: bool,
    pub general: bool,
    /// An output that is a condition after the last statement.
    pub condition: Option<Condition>,
}

/// Nothing if some part is not understood.
pub(crate) fn parse(text: &str, constraints: &str) -> Option<Assembler> {
    let operands = parse_constraints(constraints)?;
    let mut statements = Vec::new();
    let mut locked = false;
    for line in text.split('\n') {
        let code = line.split('#').next().unwrap_or(line);
        for part in code.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let part = part.to_ascii_lowercase();
            let rest = match part.strip_prefix("lock") {
                Some(rest) if rest.is_empty() || rest.starts_with([' ', '\t']) => {
                    locked = true;
                    rest.trim()
                }
                // `rep` before `nop` makes a pause of it.
                _ => match part.as_str() {
                    "rep" | "rep nop" => "nop",
                    other => other,
                },
            };
            if !rest.is_empty() {
                statements.push(statement(rest, std::mem::take(&mut locked), operands.len())?);
            }
        }
    }
    (!locked).then_some(Assembler { statements, operands })
}

fn statement(text: &str, locked: bool, operands: usize) -> Option<Statement> {
    let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    // Of ARM; its operand says whom the fence concerns.
    let rest = if matches!(word, "dmb" | "dsb") { "" } else { rest };
    let places = places(rest, operands)?;
    let (operation, bits) = operation(word)?;
    let count = match operation {
        Operation::Pause | Operation::Fence => 0,
        Operation::Increment | Operation::Decrement | Operation::Not | Operation::SetIf(_) => 1,
        _ => 2,
    };
    // The others have no `lock`, and the processor refuses it.
    let lockable = !matches!(
        operation,
        Operation::Pause
            | Operation::Fence
            | Operation::Move
            | Operation::SetIf(_)
            | Operation::SubtractWithCarry
    );
    (places.len() == count && (lockable || !locked)).then_some(Statement {
        locked,
        operation,
        bits,
        operands: places,
    })
}

fn operation(word: &str) -> Option<(Operation, Option<u8>)> {
    if let Some(operation) = plain_operation(word) {
        return Some((operation, None));
    }
    let (word, letter) = word.split_at_checked(word.len().checked_sub(1)?)?;
    let operation = plain_operation(word)?;
    let sized = !matches!(operation, Operation::Pause | Operation::Fence | Operation::SetIf(_));
    sized.then_some((operation, Some(bits_of_letter(letter)?)))
}

fn plain_operation(word: &str) -> Option<Operation> {
    Some(match word {
        "pause" | "nop" | "yield" => Operation::Pause,
        "mfence" | "lfence" | "sfence" | "dmb" | "dsb" | "sync" => Operation::Fence,
        "mov" => Operation::Move,
        "xchg" => Operation::Exchange,
        "cmpxchg" => Operation::CompareExchange,
        "xadd" => Operation::ExchangeAdd,
        "add" => Operation::Add,
        "sub" => Operation::Subtract,
        "and" => Operation::And,
        "or" => Operation::Or,
        "xor" => Operation::Xor,
        "inc" => Operation::Increment,
        "dec" => Operation::Decrement,
        "not" => Operation::Not,
        "bts" => Operation::BitSet,
        "btr" => Operation::BitReset,
        "btc" => Operation::BitComplement,
        "sbb" => Operation::SubtractWithCarry,
        _ => Operation::SetIf(condition(word.strip_prefix("set")?)?),
    })
}

fn condition(word: &str) -> Option<Condition> {
    Some(match word {
        "e" | "z" => Condition::Zero(true),
        "ne" | "nz" => Condition::Zero(false),
        "s" => Condition::Negative(true),
        "ns" => Condition::Negative(false),
        "c" | "b" => Condition::Carry(true),
        "nc" | "ae" => Condition::Carry(false),
        _ => return None,
    })
}

fn bits_of_letter(letter: &str) -> Option<u8> {
    Some(match letter {
        "b" => 8,
        "w" => 16,
        "l" | "k" => 32,
        "q" => 64,
        _ => return None,
    })
}

/// The operands of a statement, between commas outside parentheses.
fn places(text: &str, operands: usize) -> Option<Vec<Place>> {
    let mut places = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                places.push(place(text[start..at].trim(), operands)?);
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() || start > 0 {
        places.push(place(last, operands)?);
    }
    Some(places)
}

fn place(text: &str, operands: usize) -> Option<Place> {
    if let Some(number) = text.strip_prefix("$$") {
        return Some(Place::Number(integer(number)? as u64));
    }
    if let Some((operand, bits)) = operand(text, operands) {
        return Some(Place::Operand(operand, bits));
    }
    let (displacement, base) = text.strip_suffix(')')?.split_once('(')?;
    let displacement = if displacement.is_empty() { 0 } else { integer(displacement)? };
    match base.trim() {
        "%rsp" | "%esp" => Some(Place::Stack),
        base => match operand(base, operands)? {
            (operand, None | Some(64)) => Some(Place::Behind(operand, displacement)),
            _ => None,
        },
    }
}

/// `$1` or `${1:k}`.
fn operand(text: &str, operands: usize) -> Option<(usize, Option<u8>)> {
    let text = text.strip_prefix('$')?;
    let (number, bits) = match text.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')) {
        Some(inner) => {
            let (number, letter) = inner.split_once(':')?;
            (number, Some(bits_of_letter(letter)?))
        }
        None => (text, None),
    };
    let number: usize = number.parse().ok()?;
    (number < operands).then_some((number, bits))
}

fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    // As the assembler reads them: a leading 0 is octal.
    let value = match (digits.strip_prefix("0x"), digits.strip_prefix('0')) {
        (Some(digits), _) => u64::from_str_radix(digits, 16).ok()? as i64,
        (None, Some(digits)) if !digits.is_empty() => u64::from_str_radix(digits, 8).ok()? as i64,
        _ => digits.parse().ok()?,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

fn parse_constraints(text: &str) -> Option<Vec<Constraint>> {
    let mut constraints = Vec::new();
    for word in text.split(',').filter(|word| !word.is_empty()) {
        // What is overwritten beside the outputs; nothing of it is visible in C but memory, which is always read anew.
        if word.starts_with('~') {
            continue;
        }
        let (is_output, rest) = word.strip_prefix('=').map_or((false, word), |rest| (true, rest));
        let early = rest.starts_with('&');
        let rest = rest.trim_start_matches(['&', '%']);
        let (in_memory, code) = rest.strip_prefix('*').map_or((false, rest), |code| (true, code));
        let tied = match code.bytes().all(|c| c.is_ascii_digit()) && !code.is_empty() {
            true => Some(code.parse().ok()?),
            false => None,
        };
        let condition = match code.strip_prefix("{@cc").and_then(|code| code.strip_suffix('}')) {
            Some(word) => Some(condition(word)?),
            None => None,
        };
        let register = named_register(code);
        let is_plain = !code.starts_with('{');
        let immediate =
            is_plain && code.contains(['i', 'n', 'e', 'g', 'X', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'Z']);
        let general = !is_plain || code.contains(['r', 'q', 'Q', 'R', 'l', 'g', 'X']) || register.is_some();
        constraints.push(Constraint {
            is_output,
            in_memory,
            tied,
            register,
            early,
            immediate,
            general,
            condition,
        });
    }
    let in_order = constraints.iter().skip_while(|c| c.is_output).all(|c| !c.is_output);
    let ties = constraints.iter().all(|c| {
        c.tied.is_none_or(|output| {
            !c.is_output && constraints.get(output).is_some_and(|o| o.is_output && !o.in_memory)
        })
    });
    (in_order && ties).then_some(constraints)
}

/// The register that a compare-exchange compares with.
pub(crate) const ACCUMULATOR: u8 = 0;

/// The number of a register that a constraint names, the same for all its sizes.
fn named_register(code: &str) -> Option<u8> {
    let name = match code {
        "a" | "b" | "c" | "d" => return Some(code.as_bytes()[0] - b'a'),
        "S" => return Some(4),
        "D" => return Some(5),
        _ => code.strip_prefix('{')?.strip_suffix('}')?,
    };
    let letters = ["a", "b", "c", "d"];
    let old = |index: usize, letter: &str| {
        let forms =
            [format!("{letter}l"), format!("{letter}x"), format!("e{letter}x"), format!("r{letter}x")];
        forms.iter().any(|form| form == name).then_some(index as u8)
    };
    if let Some(found) = letters.iter().enumerate().find_map(|(index, letter)| old(index, letter)) {
        return Some(found);
    }
    let pointers = ["si", "di", "bp", "sp"];
    for (index, word) in pointers.iter().enumerate() {
        let forms = [word.to_string(), format!("{word}l"), format!("e{word}"), format!("r{word}")];
        if forms.iter().any(|form| form == name) {
            return Some(4 + index as u8);
        }
    }
    let number = name.strip_prefix('r')?.trim_end_matches(['b', 'w', 'd']);
    number.parse().ok().filter(|number| (8..16).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, constraints: &str) -> Statement {
        let assembler = parse(text, constraints).expect(text);
        let [statement] = &assembler.statements[..] else { panic!("{text}: {assembler:?}") };
        statement.clone()
    }

    #[test]
    fn words_sizes_and_prefixes() {
        let statement = one("lock\n\txaddl $0,$1", "=r,=*m,0,*m,~{flags}");
        assert_eq!((statement.operation, statement.bits), (Operation::ExchangeAdd, Some(32)));
        assert!(statement.locked);
        assert_eq!(statement.operands, [Place::Operand(0, None), Place::Operand(1, None)]);
        assert!(!one("addb ${1:b}, $0", "=*m,r").locked);
        assert_eq!(one("subl $$010, $0", "=*m").operands[0], Place::Number(8));
        assert_eq!(one("subb $$-1, $0", "=*m").operands[0], Place::Number(u64::MAX));
        assert_eq!(one("lock; orl $$0x10,-8(%rsp)", "").operands[1], Place::Stack);
        assert_eq!(one("incq 8($0)", "r").operands, [Place::Behind(0, 8)]);
        assert_eq!(one("rep nop", "").operation, Operation::Pause);
        assert_eq!(parse("rep; nop", "").expect("a pause").statements.len(), 2);
        assert_eq!(one("dmb ish", "~{memory}").operation, Operation::Fence);
        assert_eq!(one("mfence # all before all", "").operation, Operation::Fence);
        assert!(parse(" \n# nothing\n", "~{memory}").expect("nothing").statements.is_empty());
    }

    #[test]
    fn constraints_of_all_kinds() {
        let text = "lock; cmpxchgl $3,$1\n\tsete $0";
        let assembler = parse(text, "=q,=*m,={ax},r,*m,2,~{memory},~{cc}").expect("understood");
        assert_eq!(assembler.operands.len(), 6);
        assert!(assembler.operands[1].in_memory && assembler.operands[2].register == Some(ACCUMULATOR));
        assert_eq!(assembler.operands[5].tied, Some(2));
        let named = |code: &str| named_register(code);
        assert_eq!(["{al}", "{eax}", "a", "{rax}"].map(named), [Some(ACCUMULATOR); 4]);
        assert_eq!(
            ["{dl}", "{esi}", "D", "{r10d}", "{r99}", "r"].map(named),
            [Some(3), Some(4), Some(5), Some(10), None, None]
        );
        let early = parse("movl $1, $0", "=&r,Ir").expect("understood");
        assert!(early.operands[0].early && early.operands[1].immediate && early.operands[1].general);
        let flags = parse("lock; decl $0", "=*m,={@ccz},*m").expect("understood");
        assert_eq!(flags.operands[1].condition, Some(Condition::Zero(true)));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (text, constraints) in [
            ("1: lock; decl $0; jne 1b", "=*m"),
            ("cmpxchg16b $0", "=*m"),
            ("lock; cmpxchg8b $0", "=*m"),
            ("rdtsc", "={ax},={dx}"),
            ("lock", ""),
            ("lock; mfence", ""),
            ("lock; movl $0, $1", "=*m,r"),
            ("addl $7, $0", "=*m,r"),
            ("addl $1", "=*m,r"),
            ("addl %eax, $0", "=*m"),
            ("movl %fs:0, $0", "=r"),
            ("addl ($0,$1,4), $2", "r,r,r"),
            ("addl ${1:h}, $0", "=*m,r"),
            ("mfences", ""),
            ("setel $0", "=q"),
            ("l", ""),
            ("é", ""),
            ("", "r,=r"),
            ("", "=r,7"),
            ("", "={@ccq}"),
        ] {
            assert!(parse(text, constraints).is_none(), "{text}");
        }
    }
}
