//! The heap: allocation of objects of constant size, and `free`, which ends the life of one of several.

use raddle_ir::{KernelOp, MemoryOrder, Operand, Register};
use raddle_machine::ObjectId;
use raddle_machine::pointer::MAX_OBJECT;
use raddle_solver::Term;

use crate::access::Place;
use crate::executor::{Executor, Initial, ObjectInfo, Path, Run};
use crate::instructions::Flow;
use crate::unrolling::*;

impl Executor<'_> {
    pub(crate) fn allocate(
        &mut self,
        op: KernelOp,
        into: Option<Register>,
        arguments: &[Operand],
        path: &mut Path,
    ) -> Run<Flow> {
        let size = self.number(path, arguments[0]);
        let Some(size) = self.d.as_constant(size) else {
            return self.dead(path, "an allocation of variable size");
        };
        if size > MAX_OBJECT {
            let reason =
                format!("an allocation of {size} bytes (objects of up to {MAX_OBJECT} bytes are supported)");
            self.limit(path.state.guard.term(), true, reason);
            return Ok(Flow::Dead);
        }
        if self.machine.settings.reuse_addresses {
            return self.dead(path, "the reuse of addresses");
        }
        if op == KernelOp::AllocAligned && self.constant_argument(path, arguments[1]).is_none_or(|a| a > 16) {
            return self.dead(path, "an allocation with a large alignment");
        }
        let kind = *arguments.last().expect("the kind comes last");
        let kind = self.constant_argument(path, kind);
        let count = path.state.counters.heap;
        let id = self.object_name(true, count);
        path.state.counters.heap = count.map(|n| n + 1);
        let initial = if kind == Some(0) { Initial::Indeterminate } else { Initial::Zero };
        self.new_object(id, ObjectInfo { size: size as u32, constant: false, heap: true, initial });
        self.give_number(path, into, id.base());
        Ok(Flow::Next)
    }

    pub(crate) fn free(&mut self, operand: Operand, path: &mut Path) -> Run<Flow> {
        let point = self.scheduling_point(path);
        let pointer = self.number(path, operand);
        let Some(names) = self.names_of(pointer) else {
            return self.dead(path, "a pointer that was computed from a number is freed");
        };
        let null = self.d.with(|t| t.is_zero(pointer));
        let mut places = Vec::new();
        for name in names.iter() {
            let object = ObjectId(*name);
            if self.objects.get(&object).is_some_and(|info| info.heap) {
                let base = self.d.constant(64, object.base());
                let condition = self.d.equal(pointer, base);
                if condition != Term::FALSE {
                    places.push(Place { condition, object, offset: 0 });
                }
            }
        }
        let known = self.d.with(|t| t.any(places.iter().map(|place| place.condition).chain([null])));
        self.memory_fault_unless(path, known);
        let ranges: Vec<Range> = places.iter().map(|place| Range::life(place.object)).collect();
        // A write of the whole object.
        let mut whole = ranges.clone();
        for place in places.iter().filter(|_| self.races) {
            let length = self.objects.get(&place.object).map_or(0, |info| info.size);
            if length > 0 {
                whole.push(Range { object: place.object, offset: 0, length });
            }
        }
        for range in whole.iter().filter(|range| range.offset != LIFE).copied().collect::<Vec<_>>() {
            self.note(range, true);
        }
        let node = self.access_node(path, &whole, point);
        self.check_life(path, node, &places);
        let race_checked = path.state.section.as_ref().is_none_or(|section| !section.kernel);
        for place in places.iter().filter(|_| race_checked) {
            let length = self.objects.get(&place.object).map_or(0, |info| info.size);
            self.race_accesses(path, node, &[*place], length, true, MemoryOrder::NotAtomic);
        }
        for place in places {
            self.set_life(path, node, place.condition, place.object, false);
        }
        Ok(Flow::Next)
    }
}
