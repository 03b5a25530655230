//! Loops of a function: which registers each loop assigns, by the block at its beginning. These are bound anew at every round, so
//! their values before the first one say nothing.

use raddle_ir::{BlockId, Function, Register};

/// By block: the registers that the loop which begins there assigns.
pub fn assigned(function: &Function) -> Vec<Vec<Register>> {
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
