//! Loops of a function and an order of its blocks in which paths can be merged: the weak topological order of Bourdoncle
//! 1993 ("Efficient chaotic iteration strategies with widenings").
//!
//! A component is a loop with its head; components nest. Positions number the blocks so that every edge goes to a larger
//! position, except edges to the heads of components around their source: those are the back edges, irreducible loops
//! included. Executed in the order of [`Key`], a block of one iteration comes after everything that can lead to it.

use raddle_ir::{BlockId, Function, Inst};

/// The order of one function's blocks.
#[derive(Debug)]
pub struct ControlFlow {
    /// By block: its position.
    position: Vec<u32>,
    /// By position: the block.
    blocks: Vec<BlockId>,
    /// By block: the heads of the components around it, outermost first; a head is in its own component.
    nest: Vec<Vec<BlockId>>,
    /// By block: every path from it ends in the function, without returning (a failed assertion, say).
    ends: Vec<bool>,
}

fn is_unreachable(function: &Function, block: &raddle_ir::Block) -> bool {
    block.end > block.start && matches!(function.code[block.end as usize - 1], Inst::Unreachable)
}

/// Where a path is: positions of heads with their iterations, then the position of the block.
pub type Key = Vec<u32>;

impl ControlFlow {
    pub fn of(function: &Function) -> ControlFlow {
        let count = function.blocks.len();
        let successors: Vec<Vec<usize>> = function
            .blocks
            .iter()
            .map(|block| {
                let mut out = Vec::new();
                if block.end > block.start {
                    function.code[block.end as usize - 1].for_each_target(|b| out.push(b.index()));
                }
                out
            })
            .collect();
        let mut ends: Vec<bool> =
            function.blocks.iter().map(|block| is_unreachable(function, block)).collect();
        loop {
            let ending =
                |b: &usize| !successors[*b].is_empty() && successors[*b].iter().all(|next| ends[*next]);
            let Some(found) = (0..count).find(|b| !ends[*b] && ending(b)) else { break };
            ends[found] = true;
        }
        let mut builder = Builder {
            successors,
            number: vec![0; count],
            stack: Vec::new(),
            next: 0,
            flow: ControlFlow {
                position: vec![0; count],
                blocks: Vec::new(),
                nest: vec![Vec::new(); count],
                ends,
            },
        };
        let mut partition = Vec::new();
        if count > 0 {
            builder.visit(0, &mut partition);
        }
        partition.reverse();
        let mut heads = Vec::new();
        builder.flow.number(&partition, &mut heads);
        builder.flow
    }

    /// The key of the entry block.
    pub fn entry(&self) -> Key {
        self.key(&[], BlockId::new(0)).0
    }

    /// The block that a key names.
    pub fn block(&self, key: &Key) -> BlockId {
        self.blocks[*key.last().expect("a key ends with a position") as usize]
    }

    /// The key after an edge from the block of `from`, and the head whose iteration it begins, if it is a back edge.
    pub fn follow(&self, from: &Key, target: BlockId) -> (Key, Option<BlockId>) {
        self.key(from, target)
    }

    /// Whether no path from here returns. Where that is so of every exit of a loop, these exits bound it all the same.
    pub fn ends(&self, block: BlockId) -> bool {
        self.ends[block.index()]
    }

    /// Whether a loop begins here.
    pub fn is_head(&self, block: BlockId) -> bool {
        self.nest[block.index()].last() == Some(&block)
    }

    /// How many components are around a block.
    pub fn depth(&self, block: BlockId) -> usize {
        self.nest[block.index()].len()
    }

    fn key(&self, from: &[u32], target: BlockId) -> (Key, Option<BlockId>) {
        let mut key = Vec::with_capacity(2 * self.depth(target) + 1);
        let mut back = None;
        let mut same = true;
        for (level, head) in self.nest[target.index()].iter().enumerate() {
            let position = self.position[head.index()];
            same = same && from.len() > 2 * level + 1 && from[2 * level] == position;
            let iteration = if !same {
                0
            } else if *head == target {
                back = Some(*head);
                same = false;
                from[2 * level + 1] + 1
            } else {
                from[2 * level + 1]
            };
            key.push(position);
            key.push(iteration);
        }
        key.push(self.position[target.index()]);
        (key, back)
    }

    fn number(&mut self, elements: &[Element], heads: &mut Vec<BlockId>) {
        for element in elements {
            match element {
                Element::Block(block) => self.place(*block, heads),
                Element::Component(head, inner) => {
                    heads.push(BlockId::new(*head));
                    self.place(*head, heads);
                    self.number(inner, heads);
                    heads.pop();
                }
            }
        }
    }

    fn place(&mut self, block: usize, heads: &[BlockId]) {
        self.position[block] = self.blocks.len() as u32;
        self.blocks.push(BlockId::new(block));
        self.nest[block] = heads.to_vec();
    }
}

enum Element {
    Block(usize),
    /// Its head, and the rest in order.
    Component(usize, Vec<Element>),
}

struct Builder {
    successors: Vec<Vec<usize>>,
    /// Depth-first numbers; 0: not visited, `u32::MAX`: done.
    number: Vec<u32>,
    stack: Vec<usize>,
    next: u32,
    flow: ControlFlow,
}

impl Builder {
    /// As in the paper; elements are appended in reverse order.
    fn visit(&mut self, block: usize, partition: &mut Vec<Element>) -> u32 {
        self.stack.push(block);
        self.next += 1;
        self.number[block] = self.next;
        let mut head = self.next;
        let mut is_loop = false;
        for successor in self.successors[block].clone() {
            let least = match self.number[successor] {
                0 => self.visit(successor, partition),
                number => number,
            };
            if least <= head {
                head = least;
                is_loop = true;
            }
        }
        if head == self.number[block] {
            self.number[block] = u32::MAX;
            let mut element = self.stack.pop().expect("not empty");
            if is_loop {
                while element != block {
                    self.number[element] = 0;
                    element = self.stack.pop().expect("the block is there");
                }
                let mut inner = Vec::new();
                for successor in self.successors[block].clone() {
                    if self.number[successor] == 0 {
                        self.visit(successor, &mut inner);
                    }
                }
                inner.reverse();
                partition.push(Element::Component(block, inner));
            } else {
                partition.push(Element::Block(block));
            }
        }
        head
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{Block, Inst, Operand, Register};

    fn function(edges: &[&[usize]]) -> Function {
        let mut f = Function::default();
        for targets in edges {
            let start = f.code.len() as u32;
            f.code.push(match targets {
                [] => Inst::Unreachable,
                [one] => Inst::Jump { target: BlockId::new(*one) },
                [yes, no, ..] => Inst::Branch {
                    condition: Operand::register(Register(0)),
                    yes: BlockId::new(*yes),
                    no: BlockId::new(*no),
                },
            });
            f.blocks.push(Block { start, end: start + 1 });
        }
        f
    }

    #[test]
    fn iterations_come_before_what_follows_the_loop() {
        // 0 -> 1 (head) -> 2 -> 1, 1 -> 3; the body has an inner loop 2 -> 2.
        let f = function(&[&[1], &[2, 3], &[2, 1], &[]]);
        let flow = ControlFlow::of(&f);
        let one = |from: &Key, to: usize| flow.follow(from, BlockId::new(to));
        let entry = flow.entry();
        let (head, none) = one(&entry, 1);
        assert_eq!(none, None);
        let (body, _) = one(&head, 2);
        let (again, inner) = one(&body, 2);
        assert_eq!(inner, Some(BlockId::new(2)));
        let (second, outer) = one(&again, 1);
        assert_eq!(outer, Some(BlockId::new(1)));
        let (end, _) = one(&head, 3);
        assert!(entry < head && head < body && body < again && again < second && second < end);
        assert_eq!(flow.block(&end), BlockId::new(3));
        assert_eq!(flow.block(&second), BlockId::new(1));
    }
}
