//! What is known of the blocks of a function: the registers that are live where each begins, and those of them that the loop which
//! begins there assigns. The latter are bound anew at every round, so their values before the first one say nothing.

use raddle_ir::{BlockId, Function, Register};

/// By block.
pub struct Blocks {
    /// Registers that are read before they are assigned again: names of others need no join.
    pub live: Vec<Vec<Register>>,
    /// Those of them that the loop which begins there assigns.
    pub assigned: Vec<Vec<Register>>,
}

impl Blocks {
    pub fn of(function: &Function) -> Blocks {
        let live = live(function);
        let mut assigned = assigned(function);
        for (registers, live) in assigned.iter_mut().zip(&live) {
            registers.retain(|register| live.binary_search(register).is_ok());
        }
        Blocks { live, assigned }
    }
}

/// Live registers at the beginning of each block, ascending: the least solution backwards.
fn live(function: &Function) -> Vec<Vec<Register>> {
    let count = function.blocks.len();
    let words = function.registers.len().div_ceil(64);
    let bit = |register: Register| (register.index() / 64, 1u64 << (register.index() % 64));
    let (mut read, mut written) = (vec![vec![0u64; words]; count], vec![vec![0u64; words]; count]);
    let mut predecessors = vec![Vec::new(); count];
    for (index, block) in function.blocks.iter().enumerate() {
        for inst in &function.code[block.start as usize..block.end as usize] {
            inst.for_each_operand(|operand| {
                if let Some((word, mask)) = operand.as_register().map(bit) {
                    read[index][word] |= mask & !written[index][word];
                }
            });
            inst.for_each_destination(|register| {
                let (word, mask) = bit(register);
                written[index][word] |= mask;
            });
            inst.for_each_target(|target| predecessors[target.index()].push(index));
        }
    }
    let mut live = read;
    let mut open: Vec<usize> = (0..count).collect();
    while let Some(block) = open.pop() {
        for before in predecessors[block].clone() {
            let mut grew = false;
            for word in 0..words {
                let more = live[block][word] & !written[before][word] & !live[before][word];
                live[before][word] |= more;
                grew |= more != 0;
            }
            if grew {
                open.push(before);
            }
        }
    }
    let registers = |bits: Vec<u64>| {
        let all = (0..function.registers.len()).filter(|index| bits[index / 64] >> (index % 64) & 1 == 1);
        all.map(|index| Register(index as u32)).collect()
    };
    live.into_iter().map(registers).collect()
}

/// By block: the registers that the loop which begins there assigns.
fn assigned(function: &Function) -> Vec<Vec<Register>> {
    let count = function.blocks.len();
    let successors = |block: usize| {
        let mut all: Vec<usize> = Vec::new();
        let last = function.blocks[block].end as usize - 1;
        function.code[last].for_each_target(|target| all.push(target.index()));
        all
    };
    let mut predecessors = vec![Vec::new(); count];
    for block in 0..count {
        for next in successors(block) {
            predecessors[next].push(block);
        }
    }
    let mut out = vec![Vec::new(); count];
    for (header, sources) in back_edges(count, &successors) {
        // All that leads to the jump back without passing the beginning.
        let mut inside = vec![false; count];
        inside[header] = true;
        let mut open = sources;
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut inside[block], true) {
                open.extend(&predecessors[block]);
            }
        }
        let mut registers = Vec::new();
        for block in (0..count).filter(|block| inside[*block]) {
            let range = function.blocks[BlockId::new(block).index()];
            for inst in &function.code[range.start as usize..range.end as usize] {
                inst.for_each_destination(|register| registers.push(register));
            }
        }
        registers.sort();
        registers.dedup();
        out[header] = registers;
    }
    out
}

/// Blocks that are jumped back to, with the blocks that do it.
fn back_edges(count: usize, successors: &dyn Fn(usize) -> Vec<usize>) -> Vec<(usize, Vec<usize>)> {
    let mut found: std::collections::BTreeMap<usize, Vec<usize>> = std::collections::BTreeMap::new();
    // 0: not seen, 1: on the path, 2: done.
    let mut state = vec![0u8; count];
    if count == 0 {
        return Vec::new();
    }
    let mut path = vec![(0usize, successors(0))];
    state[0] = 1;
    while let Some((block, rest)) = path.last_mut() {
        let block = *block;
        match rest.pop() {
            None => {
                state[block] = 2;
                path.pop();
            }
            Some(next) if state[next] == 1 => found.entry(next).or_default().push(block),
            Some(next) if state[next] == 0 => {
                state[next] = 1;
                path.push((next, successors(next)));
            }
            Some(_) => {}
        }
    }
    found.into_iter().collect()
}
