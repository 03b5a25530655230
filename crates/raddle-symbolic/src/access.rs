//! Accesses to memory. A pointer is resolved to guarded places (an object and a constant offset each); bytes that are not
//! contended are read and written in the path's own view, contended ones by events of the order graph, or inside a section
//! in its overlay. An access to a contended object also reads the byte that says whether the object lives.

use std::rc::Rc;

use raddle_ir::Width;
use raddle_machine::pointer::OFFSET_BITS;
use raddle_machine::{ObjectId, mask};
use raddle_solver::Term;

use crate::contents::{Chunk, Contents, indeterminate};
use crate::domain::Value;
use crate::executor::{Executor, Path};
use crate::last_step::LastStep;
use crate::observed_addresses::is_of_stack;
use crate::pointers::{Names, offset, stride};
use crate::state::Because;
use crate::unrolling::*;

/// Objects that the machine would name by a count that depends on the path are named by counts from here on.
const FIRST_RENAMED: u32 = 1 << 22;

/// At most so many offsets of one object are told apart.
const MOST_OFFSETS: usize = 2048;

/// At most so many values of a pointer are told apart.
const MOST_CASES: usize = 64;

/// One place that an access can be to, and when.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Given the path's guard; those of one access exclude each other.
    pub condition: Term,
    pub object: ObjectId,
    pub offset: u32,
}

impl Executor<'_> {
    /// The places that `length` bytes at a pointer can be; what is none is a memory fault, and the path goes on without it.
    pub fn places(&mut self, path: &mut Path, pointer: Term, length: u32, writes: bool) -> Vec<Place> {
        let guard = path.state.guard.term();
        let Some(names) = self.names_of(pointer) else {
            self.limit(guard, false, "a pointer that was computed from a number is dereferenced");
            path.state.guard = path.state.guard.and(&self.d, Term::FALSE, Because::Other);
            return Vec::new();
        };
        if let Some(places) = self.elements_to_access(&names, pointer, length, writes) {
            let somewhere = self.d.with(|t| t.any(places.iter().map(|place| place.condition)));
            self.memory_fault_unless(path, somewhere);
            return places;
        }
        let mut places = Vec::new();
        let values = self.possible.of(&self.d, pointer).filter(|values| values.len() <= MOST_CASES);
        let upper = self.d.with(|t| t.extract(pointer, 63, OFFSET_BITS));
        let at = offset(&self.d, pointer);
        for name in names.iter() {
            let object = ObjectId(*name);
            let Some(info) = self.objects.get(&object).cloned() else { continue };
            if let Some(missing) = self.undefined_object(object) {
                let is_it = self.d.with(|t| {
                    let name = t.constant(64 - OFFSET_BITS, *name);
                    t.eq(upper, name)
                });
                let here = self.d.and(guard, is_it);
                self.limit(here, true, missing);
                let other = self.d.not(is_it);
                self.assume(path, other, Because::Other);
                continue;
            }
            if info.constant && writes || length > info.size {
                continue;
            }
            let is_it = self.d.with(|t| {
                let name = t.constant(64 - OFFSET_BITS, *name);
                t.eq(upper, name)
            });
            if is_it == Term::FALSE {
                continue;
            }
            if let (Some(values), None) = (&values, self.d.as_constant(at)) {
                for value in values.iter().filter(|value| *value >> OFFSET_BITS == *name) {
                    let offset = raddle_machine::pointer::offset(*value);
                    let this = self.d.constant(64, *value);
                    let condition = self.d.equal(pointer, this);
                    if offset >= 0
                        && offset as u64 + length as u64 <= info.size as u64
                        && condition != Term::FALSE
                    {
                        places.push(Place { condition, object, offset: offset as u32 });
                    }
                }
                continue;
            }
            match self.d.as_constant(at) {
                Some(offset) => {
                    let offset = offset as u32 as i32;
                    if offset >= 0 && offset as u32 + length <= info.size {
                        places.push(Place { condition: is_it, object, offset: offset as u32 });
                    }
                }
                None => {
                    let (step, rest) = stride(&self.d, at);
                    let offsets: Vec<u32> =
                        (rest..=info.size - length).step_by(step as usize).take(MOST_OFFSETS + 1).collect();
                    if offsets.len() > MOST_OFFSETS {
                        let here = self.d.and(guard, is_it);
                        self.limit(
                            here,
                            false,
                            format!("an index into an object of {} bytes is not constant", info.size),
                        );
                        let other = self.d.not(is_it);
                        self.assume(path, other, Because::Other);
                        continue;
                    }
                    for offset in offsets {
                        let here = self.d.with(|t| {
                            let number = t.constant(32, offset as u64);
                            let equal = t.eq(at, number);
                            t.and(equal, is_it)
                        });
                        if here != Term::FALSE {
                            places.push(Place { condition: here, object, offset });
                        }
                    }
                }
            }
        }
        let somewhere = self.d.with(|t| t.any(places.iter().map(|place| place.condition)));
        self.memory_fault_unless(path, somewhere);
        places
    }

    /// The elements of arrays that an access by a symbolic index can be to.
    fn elements_to_access(
        &mut self,
        names: &Names,
        pointer: Term,
        length: u32,
        writes: bool,
    ) -> Option<Vec<Place>> {
        if names.iter().any(|name| self.undefined_object(ObjectId(*name)).is_some()) {
            return None;
        }
        let mut places = self.elements(pointer, length)?;
        let constant = |place: &Place| self.objects.get(&place.object).is_some_and(|info| info.constant);
        places.retain(|place| !(writes && constant(place)));
        Some(places)
    }

    /// The objects that a value of 64 bits can name; `None`: not known.
    pub fn names_of(&mut self, value: Term) -> Option<Names> {
        match self.possible.of(&self.d, value) {
            Some(values) => Some(Rc::new(values.iter().map(|value| value >> OFFSET_BITS).collect())),
            None => self.candidates.names(&self.d, value),
        }
    }

    /// What is to be said of an object that is declared and nowhere defined.
    fn undefined_object(&self, object: ObjectId) -> Option<String> {
        let index = object.as_global()?;
        let global = self.program.globals.get(index).filter(|global| global.external)?;
        debug_assert!(!global.thread_local);
        Some(raddle_machine::missing_object(self.program, raddle_ir::GlobalId::new(index)))
    }

    /// Where the condition does not hold, a memory fault ends the run.
    pub fn memory_fault_unless(&mut self, path: &mut Path, condition: Term) {
        let fails = self.d.not(condition);
        let fails = self.under(path, fails);
        self.fault(FaultClass::Memory, fails);
        self.assume(path, condition, Because::Other);
    }

    pub(crate) fn is_contended(&self, range: Range) -> bool {
        !self.prefix.is_open() && self.knowledge.is_contended(range)
    }

    /// A scheduling point: a step of the thread's script, unless it is inside a kernel section. What it is is not known yet.
    pub fn scheduling_point(&mut self, path: &mut Path) -> Option<usize> {
        if path.state.section.as_ref().is_some_and(|section| section.kernel) {
            return None;
        }
        self.operation(path, path.state.section_node());
        Some(self.out.threads[self.thread.0 as usize].script.len() - 1)
    }

    /// The node of an access: the section's, or one of its own if some of the bytes are contended.
    pub fn access_node(&mut self, path: &mut Path, ranges: &[Range], point: Option<usize>) -> Option<Node> {
        if let Some(section) = &path.state.section {
            return section.node;
        }
        let contended = ranges.iter().any(|range| self.is_contended(*range));
        let node = contended.then(|| self.new_node(path.state.guard.term()));
        if let Some(point) = point {
            // Choices of the instruction (a spurious failure) belong to it.
            for (_, step) in &mut self.out.threads[self.thread.0 as usize].script[point..] {
                match step {
                    Step::Operation(of) | Step::Choice(_, of) => *of = node,
                }
            }
            path.state.last_step = LastStep::of(node);
        }
        node
    }

    /// The bytes of one place. `node` is the access's step or section.
    pub fn read_range(
        &mut self,
        path: &mut Path,
        node: Option<Node>,
        condition: Term,
        range: Range,
    ) -> Option<Chunk> {
        self.note(range, false);
        if self.learned.cuts_unnumbered(range, false) {
            self.limit_address(path);
        }
        let word = self.program.data_model.pointer_bytes();
        self.learned.exposed |= self.learned.cuts_stack_pointer(range, Some(word));
        let Range { object, offset, length } = range;
        if self.is_contended(range) {
            let guard = path.state.guard.term();
            let Some(node) = node.or(path.state.section.as_ref().and_then(|section| section.node)) else {
                self.limit(guard, false, "a computation on private memory uses shared bytes");
                return None;
            };
            if path.state.section.is_none() {
                let guard = self.d.and(guard, condition);
                return Some(self.read_event(node, guard, range));
            }
            let loaded = self.read_in_section(path, node, condition, range);
            return self.whole(path, loaded);
        }
        let contents = path.state.memory.get(&object).cloned().unwrap_or_default();
        let missing = contents.missing(offset, length);
        if missing.is_empty() {
            return self.whole(path, contents.load(&self.d, offset, length));
        }
        let mut filled = (*contents).clone();
        for (offset, length) in missing {
            let Some(initial) = self.initial(Range { object, offset, length }) else {
                return self.whole(path, Err(crate::contents::PointerCut));
            };
            let _ = filled.store(&self.d, offset, initial);
        }
        self.whole(path, filled.load(&self.d, offset, length))
    }

    fn whole(&mut self, path: &Path, loaded: Result<Chunk, crate::contents::PointerCut>) -> Option<Chunk> {
        if loaded.is_err() {
            self.limit(path.state.guard.term(), false, "a pointer of four bytes is read in part");
        }
        loaded.ok()
    }

    pub fn write_range(
        &mut self,
        path: &mut Path,
        node: Option<Node>,
        condition: Term,
        range: Range,
        chunk: Chunk,
    ) {
        let Range { object, offset, length } = range;
        if chunk.width() == 64 {
            let names = self.mentioned(chunk.bits);
            if length == 8 && names.iter().any(|name| self.is_renamed(ObjectId(*name))) {
                self.learned.unnumbered.insert((object, offset));
            }
            if names.iter().any(is_of_stack) {
                self.learned.stack_pointers.insert((object, offset));
                if self.is_contended(range) {
                    self.publish(chunk.bits);
                }
            }
        }
        if self.is_contended(range) && path.state.is_probe() {
            // The first effect: the section does not block.
            path.state.guard = path.state.guard.and(&self.d, Term::FALSE, Because::Other);
            return;
        }
        if self.is_contended(range) && path.state.section.is_none() {
            self.note(range, true);
            let guard = self.under(path, condition);
            let Some(node) = node else {
                self.limit(guard, false, "a computation on private memory uses shared bytes");
                return;
            };
            self.effect(path, condition);
            self.write_event(node, guard, range, chunk);
            return;
        }
        if self.is_contended(range) {
            self.note(range, true);
            self.effect(path, condition);
            let section = path.state.section.as_ref().expect("checked above");
            let node = node.or(section.node).expect("a section has a node");
            if self.write_in_section(path, node, condition, range, chunk).is_err() {
                self.limit(path.state.guard.term(), false, "a pointer of four bytes is overwritten in part");
            }
            return;
        }
        let chunk = if condition == Term::TRUE {
            chunk
        } else {
            let Some(old) = self.read_range(path, node, Term::TRUE, range) else { return };
            let (old, new) = match (
                self.shaped(old, chunk.wide || old.wide),
                self.shaped(chunk, chunk.wide || old.wide),
            ) {
                (Some(old), Some(new)) => (old, new),
                _ => {
                    self.limit(
                        path.state.guard.term(),
                        false,
                        "a pointer of four bytes is overwritten by bytes",
                    );
                    return;
                }
            };
            let bits = self.d.ite(condition, new.bits, old.bits);
            let undefined = self.d.ite(condition, new.undefined, old.undefined);
            Chunk { bits, undefined, ..new }
        };
        self.note(range, true);
        let contents: &mut Contents = Rc::make_mut(path.state.memory.entry(object).or_default());
        let stored = contents.store(&self.d, offset, chunk);
        if stored.is_err() {
            self.limit(path.state.guard.term(), false, "a pointer of four bytes is overwritten in part");
        }
    }

    /// Whether the object lives is part of the access.
    pub fn check_life(&mut self, path: &mut Path, node: Option<Node>, places: &[Place]) {
        let mut lives: Vec<(ObjectId, Term)> = Vec::new();
        for place in places {
            match lives.iter_mut().find(|(object, _)| *object == place.object) {
                Some((_, condition)) => *condition = self.d.or(*condition, place.condition),
                None => lives.push((place.object, place.condition)),
            }
        }
        for (object, condition) in lives {
            let range = Range::life(object);
            let Some(life) = self.read_range(path, node, condition, range) else { continue };
            let one = self.d.constant(8, 1);
            let alive = self.d.equal(life.bits, one);
            if alive != Term::TRUE {
                let elsewhere = self.d.not(condition);
                let fine = self.d.or(alive, elsewhere);
                self.memory_fault_unless(path, fine);
            }
        }
    }

    /// The ranges that an access to places touches, lives included.
    pub fn ranges(&self, places: &[Place], length: u32) -> Vec<Range> {
        let of = |place: &Place| {
            let Place { object, offset, .. } = *place;
            [Range { object, offset, length }, Range::life(object)]
        };
        places.iter().flat_map(of).collect()
    }

    /// Reads `length` bytes at places, merged.
    pub fn read_places(
        &mut self,
        path: &mut Path,
        node: Option<Node>,
        places: &[Place],
        length: u32,
    ) -> Option<Chunk> {
        let mut result: Option<Chunk> = None;
        for place in places {
            let Place { condition, object, offset } = *place;
            let chunk = self.read_range(path, node, condition, Range { object, offset, length })?;
            result = Some(match result {
                None => chunk,
                Some(other) => {
                    let wide = chunk.wide || other.wide;
                    let (Some(chunk), Some(other)) = (self.shaped(chunk, wide), self.shaped(other, wide))
                    else {
                        self.limit(
                            path.state.guard.term(),
                            false,
                            "a pointer of four bytes is also used as bytes",
                        );
                        return None;
                    };
                    let bits = self.d.ite(condition, chunk.bits, other.bits);
                    let undefined = self.d.ite(condition, chunk.undefined, other.undefined);
                    Chunk { bits, undefined, ..chunk }
                }
            });
        }
        result
    }

    pub fn write_places(&mut self, path: &mut Path, node: Option<Node>, places: &[Place], chunk: Chunk) {
        for place in places {
            let Place { condition, object, offset } = *place;
            let range = Range { object, offset, length: chunk.length };
            self.write_range(path, node, condition, range, chunk);
        }
    }

    /// What a register holds after a load of this width.
    pub fn loaded(&mut self, path: &Path, width: Width, chunk: Chunk) -> Option<Value> {
        let d = &self.d;
        if width == Width::Pointer && self.program.data_model.pointer_bytes() == 4 && !chunk.wide {
            // A number that is read as a pointer.
            return match d.as_constant(chunk.undefined) {
                Some(0) => {
                    let bits = self.pointer_of_number(chunk.bits);
                    Some(Value { bits, undefined: self.d.constant(64, 0) })
                }
                Some(0xffff_ffff) => {
                    Some(Value { bits: d.constant(64, 0), undefined: d.constant(64, u64::MAX) })
                }
                _ => {
                    self.limit(
                        path.state.guard.term(),
                        false,
                        "bytes that are not a pointer are read as one",
                    );
                    None
                }
            };
        }
        if chunk.wide && width != Width::Pointer {
            let mut bytes = self.shaped(chunk, false);
            if bytes.is_none() && self.d.as_constant(chunk.undefined) == Some(0) {
                let number = self.number_of_pointer(chunk.bits);
                let (bits, undefined) = self.d.with(|t| (t.extract(number, 31, 0), t.constant(32, 0u64)));
                bytes = Some(Chunk { bits, undefined, wide: false, ..chunk });
            }
            let Some(bytes) = bytes else {
                self.limit(path.state.guard.term(), false, "a pointer is read as a number");
                return None;
            };
            return self.loaded(path, width, bytes);
        }
        let keep = match width {
            Width::Int(bits) => bits as u32,
            _ => chunk.width(),
        };
        Some(d.with(|t| {
            let (bits, undefined) = (t.resize(chunk.bits, keep), t.resize(chunk.undefined, keep));
            Value { bits: t.resize(bits, 64), undefined: t.resize(undefined, 64) }
        }))
    }

    /// How a register value lies in memory. A byte is indeterminate if all its bits are.
    pub fn stored(&mut self, width: Width, value: Value) -> Chunk {
        let length = width.bytes(self.program.data_model);
        if width == Width::Pointer && length == 4 {
            return Chunk { length, bits: value.bits, undefined: value.undefined, wide: true };
        }
        let undefined = match self.d.as_constant(value.undefined) {
            Some(0) => self.d.constant(8 * length, 0),
            Some(marks) => {
                let whole = (0..length).filter(|i| (marks >> (8 * i)) as u8 == 0xff);
                self.d.constant(8 * length, whole.fold(0, |all, i| all | 0xff << (8 * i)))
            }
            None => self.d.with(|t| {
                let (all, none) = (t.constant(8, 0xffu64), t.constant(8, 0u64));
                let bytes = (0..length).map(|i| {
                    let byte = t.extract(value.undefined, 8 * i + 7, 8 * i);
                    let whole = t.eq(byte, all);
                    t.ite(whole, all, none)
                });
                let bytes: Vec<Term> = bytes.collect();
                bytes.into_iter().reduce(|low, high| t.concat(high, low)).expect("at least a byte")
            }),
        };
        let bits = self.d.with(|t| t.resize(value.bits, 8 * length));
        Chunk { length, bits, undefined, wide: false }
    }

    /// A new object; `None`: the path ends.
    pub fn new_object(&mut self, id: ObjectId, info: crate::executor::ObjectInfo) {
        self.made.insert(id);
        self.learned.objects.insert(id, info.clone());
        self.objects.insert(id, info);
    }

    /// A name for a new object: the machine's, if the count is known and the name is free.
    pub fn object_name(&mut self, heap: bool, count: Option<u32>) -> ObjectId {
        let number = self.out.threads[self.thread.0 as usize].number;
        let make =
            |count: u32| if heap { ObjectId::heap(number, count) } else { ObjectId::stack(number, count) };
        let own = self.d.as_constant(self.out.threads[self.thread.0 as usize].name) == Some(number as u64);
        if let Some(id) = count.map(make).filter(|id| !self.made.contains(id)) {
            if !own {
                self.rename(id);
            }
            return id;
        }
        let mut count = FIRST_RENAMED + self.renamed.len() as u32;
        while self.made.contains(&make(count)) {
            count += 1;
        }
        self.rename(make(count));
        make(count)
    }

    /// The end of an object's life, or its new beginning.
    pub fn set_life(
        &mut self,
        path: &mut Path,
        node: Option<Node>,
        condition: Term,
        object: ObjectId,
        lives: bool,
    ) {
        let zero = self.d.constant(8, 0);
        let chunk = Chunk { length: 1, bits: self.d.constant(8, lives as u64), undefined: zero, wide: false };
        let range = Range::life(object);
        match node {
            None if lives && path.state.section.is_none() => {
                let node = self.is_contended(range).then(|| self.new_node(path.state.guard.term()));
                self.write_range(path, node, condition, range, chunk);
                // Its end, if no step lies in between, is another write of the same byte.
                path.state.last_step = LastStep::default();
            }
            None => self.write_with_last_step(path, condition, range, chunk),
            node => self.write_range(path, node, condition, range, chunk),
        }
    }

    /// Every byte of an object becomes indeterminate.
    pub fn forget_content(&mut self, path: &mut Path, object: ObjectId) {
        let Some(size) = self.objects.get(&object).map(|info| info.size) else { return };
        let ranges: Vec<Range> = (0..size)
            .step_by(8)
            .map(|offset| Range { object, offset, length: (size - offset).min(8) })
            .collect();
        let contended = ranges.iter().any(|range| self.is_contended(*range));
        let node = match &path.state.section {
            Some(section) => section.node,
            None => contended.then(|| self.new_node(path.state.guard.term())),
        };
        for range in ranges {
            let chunk = indeterminate(&self.d, range.length);
            self.write_range(path, node, Term::TRUE, range, chunk);
        }
    }

    /// The object that a pointer names, if it is one in every case.
    pub fn single_object(&mut self, pointer: Term) -> Option<ObjectId> {
        let names = self.names_of(pointer)?;
        match names.len() {
            1 => names.first().map(|name| ObjectId(*name)),
            _ => None,
        }
    }

    /// The lowest bits of a word.
    pub fn low(&self, bits: u8, word: Term) -> Term {
        let keep = self.d.constant(64, mask(bits));
        self.d.with(|t| t.and(word, keep))
    }
}
