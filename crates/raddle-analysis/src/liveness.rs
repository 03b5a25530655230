//! Live registers: those that can still be read. Dead registers are left out of the state key.
//!
//! The classic backward analysis, a function at a time, at the first query for the function. A row of bits is kept
//! for each instruction; a function too large for that has all registers live, which is sound and merely less
//! precise. Where a long jump may return (`setjmp`), the caller must not use the result.

use std::sync::{Arc, OnceLock};

use raddle_ir::{BlockId, Function, FunctionId, Inst, Program, Register};

/// Words of rows for one function, at most.
const MAX_WORDS: usize = 1 << 22;

pub struct Liveness {
    program: Arc<Program>,
    functions: Vec<OnceLock<Rows>>,
}

/// For each instruction, the registers that are live before it.
struct Rows {
    /// Words a row; 0 when every register counts as live.
    words: usize,
    bits: Vec<u64>,
}

impl Liveness {
    pub fn new(program: Arc<Program>) -> Liveness {
        let functions = program.functions.iter().map(|_| OnceLock::new()).collect();
        Liveness { program, functions }
    }

    /// Whether a register of a frame is live: of one that waits for the call before `pc`, if `called`.
    #[inline]
    pub fn is_live(&self, function: FunctionId, pc: u32, called: bool, register: Register) -> bool {
        if called {
            self.is_live_behind_call(function, pc, register)
        } else {
            self.is_live_at(function, pc, register)
        }
    }

    /// Whether `register` may be read, before it is written, from `pc` on.
    pub fn is_live_at(&self, function: FunctionId, pc: u32, register: Register) -> bool {
        let rows = self.functions[function.index()].get_or_init(|| rows(self.program.function(function)));
        let at = register.index();
        rows.words == 0 || rows.bits[pc as usize * rows.words + at / 64] >> (at % 64) & 1 == 1
    }

    /// The same for a frame that waits for the call before `pc`: the call's results will be written first.
    pub fn is_live_behind_call(&self, function: FunctionId, pc: u32, register: Register) -> bool {
        let call = &self.program.function(function).code[pc as usize - 1];
        let written = matches!(call, Inst::Call(call) if call.results.contains(&register));
        !written && self.is_live_at(function, pc, register)
    }
}

fn rows(function: &Function) -> Rows {
    let words = function.registers.len().div_ceil(64);
    if words == 0 || words * function.code.len() > MAX_WORDS {
        return Rows { words: 0, bits: Vec::new() };
    }
    let blocks = function.blocks.len();
    let mut entry = vec![0u64; blocks * words];
    let mut bits = vec![0u64; function.code.len() * words];
    let mut live = vec![0u64; words];
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..blocks).rev() {
            live.fill(0);
            for pc in (function.blocks[block].start as usize..function.blocks[block].end as usize).rev() {
                let inst = &function.code[pc];
                inst.for_each_target(|target: BlockId| {
                    let from = &entry[target.index() * words..][..words];
                    live.iter_mut().zip(from).for_each(|(a, b)| *a |= b);
                });
                inst.for_each_destination(|r| live[r.index() / 64] &= !(1 << (r.index() % 64)));
                inst.for_each_operand(|o| {
                    if let Some(r) = o.as_register() {
                        live[r.index() / 64] |= 1 << (r.index() % 64);
                    }
                });
                bits[pc * words..][..words].copy_from_slice(&live);
            }
            let known = &mut entry[block * words..][..words];
            if *known != live {
                known.copy_from_slice(&live);
                changed = true;
            }
        }
    }
    Rows { words, bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_keeps_its_counter_alive_and_nothing_else() {
        let text = "global x: i32
function main() {
bb0:
    copy r0: i32 = 3
    copy r2: i32 = 9
    jump bb1
bb1:
    load.i32 r1 = [&x]
    add.i32 r0 = r0, r1
    eq.i32 r3 = r0, 9
    branch r3, bb2, bb1
bb2:
    return
}";
        let program = raddle_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}"));
        let liveness = Liveness::new(Arc::new(program));
        let at = |pc| {
            let alive = |r: &u32| liveness.is_live_at(FunctionId(0), pc, Register(*r));
            (0..4).filter(alive).collect::<Vec<u32>>()
        };
        assert_eq!((at(0), at(1), at(3), at(4), at(6)), (vec![], vec![0], vec![0], vec![0, 1], vec![0, 3]));
        assert_eq!(at(7), vec![]);
    }
}
