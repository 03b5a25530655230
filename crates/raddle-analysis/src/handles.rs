//! Whether a program can distinguish its threads by their numbers (for symmetry reduction): whether the numbers are a
//! scalarset in the sense of Ip and Dill (1996), only copied and compared for equality.
//!
//! A thread's number is known to the thread itself (`self`), to the function that created it (the handle), and to the
//! bytes of the library: the owner of a lock, sets of waiting threads. If no code of the user reads a number other
//! than to join the thread, and only the code that created threads joins them, then exchanging the numbers of two
//! threads, wherever they are kept, changes nothing observable. `Handles::of` gives where they are kept, or `None`
//! when it cannot be sure. Conditions:
//! 1. the library functions that can be executed treat numbers as names (`thread_numbers.rs`);
//! 2. threads are created and joined by functions that no created thread can run;
//! 3. no library function that the user's code calls returns a number, or takes one but to join the thread;
//! 4. locks are globals with constant addresses whose bytes no other code touches: they may begin with a number;
//! 5. the handle that a function which creates threads writes goes to a local, a global or a heap block that is used
//!    for nothing else: its address is added to, compared with null and freed, zero is written there, and what is
//!    read from there goes to functions that join only, without a result. Zero is the number of no thread.
//!
//! What a thread runs and its argument do not matter here: they are the thread's own data, not its number. Threads with
//! other arguments are seldom in states that differ by numbers only, so an engine groups threads by [`Group`], and
//! does not exchange those that may still use an argument of their own ([`Handles::argument`]). Both only save work.

use raddle_ir::{
    Call, Callee, Constant, Declaration, Function, FunctionId, GlobalId, Inst, Operand, Program, Register,
};

use crate::call_graph;
use crate::library_roles::Roles;
use crate::thread_numbers::{ThreadNumbers, declares};

/// No lock is larger.
const LOCK_BYTES: i64 = 64;

/// The function that threads start with, and their argument if it is a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Group {
    start: FunctionId,
    /// 0: no constant.
    argument: u32,
}

impl Group {
    /// All its threads have the same argument.
    pub fn is_alike(self) -> bool {
        self.argument != 0
    }
}

/// Where numbers of threads are kept.
#[derive(Clone, Debug)]
pub struct Handles {
    /// Globals that hold handles and nothing else is read from.
    pub globals: Vec<GlobalId>,
    /// Places of locks, which may begin with a number.
    pub locks: Vec<(GlobalId, i64)>,
    /// Calls that create threads from a constant function.
    sites: Vec<((FunctionId, u32), Group)>,
    /// By function: registers that hold the number of a thread.
    own: Vec<Vec<Register>>,
    /// By function: registers that hold an address in a place of handles.
    addresses: Vec<Vec<Register>>,
    /// By function: registers that are computed from an argument of a thread.
    arguments: Vec<Vec<Register>>,
}

fn is_call_of(call: &Call, functions: &[FunctionId]) -> bool {
    matches!(call.callee, Callee::Direct(callee) if functions.contains(&callee))
}

impl Handles {
    /// `None`: threads may be distinguished.
    pub fn of(program: &Program) -> Option<Handles> {
        let roles = Roles::of(program);
        if roles.creates.is_empty() || roles.joins.is_empty() {
            return None;
        }
        let numbers = ThreadNumbers::of(program)?;
        if !locks_are_apart(program, &numbers) {
            return None;
        }
        let locks = numbers.places.clone();
        let own = numbers.into_registers();
        let run = call_graph::run_by_threads(program);
        if roles.creates.iter().chain(&roles.joins).any(|f| run[f.index()]) {
            return None;
        }
        let (mut globals, mut addresses) = (Vec::new(), Vec::new());
        // A function may use a global in which one that is checked later keeps handles.
        loop {
            let before: usize = globals.len();
            addresses.clear();
            for function in &program.functions {
                let kept = Kept { function, roles: &roles, globals: &mut globals };
                addresses.push(if function.library { Vec::new() } else { kept.check()? });
            }
            if globals.len() == before {
                break;
            }
        }
        // No other function names those globals, nor is their address kept anywhere.
        let names = |f: &Function| {
            let named = |c: &Constant| matches!(c, Constant::Global(g, _) if globals.contains(g));
            f.constants.iter().any(named)
        };
        for (i, function) in program.functions.iter().enumerate() {
            let uses = Kept { function, roles: &roles, globals: &mut globals.clone() }.uses_handles();
            if names(function) && (run[i] || function.library || !uses) {
                return None;
            }
        }
        let kept = |g: &raddle_ir::Global| {
            g.initializer.relocations.iter().any(|r| {
                let target = &r.target;
                matches!(target, raddle_ir::SymbolTarget::Global(g) if globals.contains(g))
            })
        };
        if program.globals.iter().any(kept) {
            return None;
        }
        let sites = sites(program, &roles);
        let arguments = arguments(program, &sites);
        Some(Handles { globals, locks, sites, own, addresses, arguments })
    }

    /// Registers of a function that hold the number of a thread.
    pub fn own_number(&self, function: FunctionId) -> &[Register] {
        &self.own[function.index()]
    }

    /// Registers of a function that hold an address in a place of handles.
    pub fn address(&self, function: FunctionId) -> &[Register] {
        &self.addresses[function.index()]
    }

    /// Registers of a function that depend on the argument that a thread was started with, as far as registers show.
    pub fn argument(&self, function: FunctionId) -> &[Register] {
        &self.arguments[function.index()]
    }

    /// The group of the threads that a call creates.
    pub fn group(&self, at: (FunctionId, u32)) -> Option<Group> {
        self.sites.iter().find(|(site, _)| *site == at).map(|(_, group)| *group)
    }
}

/// Whether what is given to functions for locks are constant places in globals, and nothing else is done there.
fn locks_are_apart(program: &Program, numbers: &ThreadNumbers) -> bool {
    let locks = &numbers.places;
    for function in program.functions.iter().filter(|f| !f.library) {
        for inst in &function.code {
            let mut apart = true;
            let near = |operand: Operand, direct: bool| {
                let Some((global, offset)) = function.constant_place(operand) else { return false };
                locks.iter().any(|(lock, at)| {
                    *lock == global && (!direct || offset > at - 16 && offset < at + LOCK_BYTES)
                })
            };
            match inst {
                Inst::Call(call) => {
                    let of = |callee: FunctionId| numbers.locks[callee.index()];
                    let taken = match call.callee {
                        Callee::Direct(callee)
                            if declares(&program.functions[callee.index()], &Declaration::Creates) =>
                        {
                            0
                        }
                        Callee::Direct(callee) if program.functions[callee.index()].library => of(callee),
                        _ => 0,
                    };
                    for (p, argument) in call.arguments.iter().enumerate() {
                        let lock = p < 32 && taken >> p & 1 == 1;
                        // A null pointer is no lock; what it is used for is a fault.
                        let null = function.constant_bits(*argument) == Some(0);
                        apart &= if lock {
                            null || function.constant_place(*argument).is_some()
                        } else {
                            !near(*argument, false)
                        };
                    }
                }
                // Beside a lock, only words at constant places.
                Inst::Load { address, .. } | Inst::Store { address, .. } | Inst::Update { address, .. } => {
                    inst.for_each_operand(|o| apart &= !near(o, o == *address));
                }
                _ => inst.for_each_operand(|o| apart &= !near(o, false)),
            }
            if !apart {
                return false;
            }
        }
    }
    let mut relocations = program.globals.iter().flat_map(|g| &g.initializer.relocations);
    !relocations.any(|r| {
        matches!(r.target, raddle_ir::SymbolTarget::Global(g) if locks.iter().any(|(lock, _)| *lock == g))
    })
}

fn sites(program: &Program, roles: &Roles) -> Vec<((FunctionId, u32), Group)> {
    let (mut sites, mut arguments) = (Vec::new(), Vec::new());
    for (i, function) in program.functions.iter().enumerate() {
        let constant = |o: &Operand| function.constant(*o);
        for (pc, inst) in function.code.iter().enumerate() {
            if let Inst::Call(call) = inst
                && is_call_of(call, &roles.creates)
                && let [.., start, argument] = &call.arguments[..]
                && let Some(Constant::Function(start)) = constant(start)
            {
                let argument = constant(argument).map_or(0, |value| {
                    let known = arguments.iter().position(|a| *a == value);
                    known.unwrap_or_else(|| {
                        arguments.push(value);
                        arguments.len() - 1
                    }) as u32
                        + 1
                });
                sites.push(((FunctionId(i as u32), pc as u32), Group { start: *start, argument }));
            }
        }
    }
    sites
}

/// By function: what is computed from the arguments of threads that are not started alike.
fn arguments(program: &Program, sites: &[((FunctionId, u32), Group)]) -> Vec<Vec<Register>> {
    let mut all: Vec<Vec<Register>> = vec![Vec::new(); program.functions.len()];
    let mut open: Vec<FunctionId> = Vec::new();
    for (_, group) in sites.iter().filter(|(_, group)| !group.is_alike()) {
        all[group.start.index()] = program.functions[group.start.index()].parameters.clone();
        open.push(group.start);
    }
    while let Some(id) = open.pop() {
        let function = &program.functions[id.index()];
        loop {
            let before = all[id.index()].len();
            for inst in &function.code {
                let depends = |o: Operand| o.as_register().is_some_and(|r| all[id.index()].contains(&r));
                let mut used = false;
                inst.for_each_operand(|o| used |= depends(o));
                if !used {
                    continue;
                }
                if let Inst::Call(call) = inst
                    && let Callee::Direct(callee) = call.callee
                {
                    let parameters = &program.functions[callee.index()].parameters;
                    let given: Vec<Register> = parameters
                        .iter()
                        .zip(&call.arguments)
                        .filter(|(_, o)| depends(**o))
                        .map(|(p, _)| *p)
                        .collect();
                    for parameter in given {
                        if callee != id && !all[callee.index()].contains(&parameter) {
                            all[callee.index()].push(parameter);
                            open.push(callee);
                        }
                    }
                }
                let mut results = Vec::new();
                inst.for_each_destination(|d| results.push(d));
                results.retain(|d| !all[id.index()].contains(d));
                all[id.index()].extend(results);
            }
            if all[id.index()].len() == before {
                break;
            }
        }
    }
    all
}

/// How one function keeps handles.
struct Kept<'a> {
    function: &'a Function,
    roles: &'a Roles,
    globals: &'a mut Vec<GlobalId>,
}

impl Kept<'_> {
    fn is_zero(&self, operand: Operand) -> bool {
        self.function.constant_bits(operand) == Some(0)
    }

    fn calls(&self, of: &[FunctionId]) -> impl Iterator<Item = &Call> {
        self.function.code.iter().filter_map(move |inst| match inst {
            Inst::Call(call) if is_call_of(call, of) => Some(&**call),
            _ => None,
        })
    }

    fn uses_handles(&self) -> bool {
        self.calls(&self.roles.creates).next().is_some() || self.calls(&self.roles.joins).next().is_some()
    }

    /// Whether an operand is the address of handles.
    fn is_address(&self, operand: Operand, addresses: &[Register]) -> bool {
        match self.function.constant(operand) {
            Some(Constant::Global(global, _)) => self.globals.contains(global),
            Some(_) => false,
            None => operand.as_register().is_some_and(|r| addresses.contains(&r)),
        }
    }

    /// The registers with addresses of handles. `None`: a handle may be used for something else, or not be kept where
    /// it is thought to be.
    fn check(mut self) -> Option<Vec<Register>> {
        if !self.uses_handles() {
            return Some(Vec::new());
        }
        let bases = self.bases()?;
        let mut addresses = bases.clone();
        // Whatever is computed from them.
        loop {
            let before = addresses.len();
            for inst in &self.function.code {
                let (destination, source) = match inst {
                    Inst::Copy { destination, source } => (destination, source),
                    Inst::PointerAdd { destination, base, .. } => (destination, base),
                    _ => continue,
                };
                if self.is_address(*source, &addresses) && !addresses.contains(destination) {
                    addresses.push(*destination);
                }
            }
            if addresses.len() == before {
                break;
            }
        }
        let mut handles: Vec<Register> = Vec::new();
        loop {
            let before = handles.len();
            for inst in &self.function.code {
                let destination = match inst {
                    Inst::Load { destination, address, .. } if self.is_address(*address, &addresses) => {
                        destination
                    }
                    Inst::Copy { destination, source }
                        if source.as_register().is_some_and(|r| handles.contains(&r)) =>
                    {
                        destination
                    }
                    _ => continue,
                };
                if !handles.contains(destination) {
                    handles.push(*destination);
                }
            }
            if handles.len() == before {
                break;
            }
        }
        if handles.iter().any(|h| addresses.contains(h)) {
            return None;
        }
        let is_handle = |o: Operand| o.as_register().is_some_and(|r| handles.contains(&r));
        for inst in &self.function.code {
            // Each operand that is an address or a handle has its one good use.
            let mut good: Vec<Operand> = Vec::new();
            match inst {
                Inst::Copy { source, .. } => good.push(*source),
                Inst::PointerAdd { base, .. } if !is_handle(*base) => good.push(*base),
                Inst::Load { address, .. } if !is_handle(*address) => good.push(*address),
                Inst::Store { address, source, .. } if !is_handle(*address) && self.is_zero(*source) => {
                    good.push(*address);
                }
                Inst::MemorySet { destination, byte, .. }
                    if !is_handle(*destination) && self.is_zero(*byte) =>
                {
                    good.push(*destination);
                }
                Inst::Compare { a, b, .. } if !is_handle(*a) && self.is_zero(*b) => good.push(*a),
                Inst::LifetimeStart { address } | Inst::LifetimeEnd { address } if !is_handle(*address) => {
                    good.push(*address);
                }
                Inst::Call(call) if is_call_of(call, &self.roles.creates) => {
                    let (first, rest) = call.arguments.split_first()?;
                    let clean = |o: &Operand| !self.is_address(*o, &addresses) && !is_handle(*o);
                    if !self.is_address(*first, &addresses) || !rest.iter().all(clean) {
                        return None;
                    }
                    continue;
                }
                Inst::Call(call) if is_call_of(call, &self.roles.joins) => {
                    let [handle, result] = call.arguments[..] else { return None };
                    if !is_handle(handle) || !self.is_zero(result) {
                        return None;
                    }
                    continue;
                }
                Inst::Call(call) if is_call_of(call, &self.roles.frees) => {
                    let [block] = call.arguments[..] else { return None };
                    if !is_handle(block) {
                        good.push(block);
                    }
                }
                _ => {}
            }
            let mut bad = false;
            inst.for_each_operand(|o| {
                let held = self.is_address(o, &addresses) || is_handle(o);
                if held {
                    match good.iter().position(|g| *g == o) {
                        Some(at) => drop(good.swap_remove(at)),
                        None => bad = true,
                    }
                }
            });
            if bad {
                return None;
            }
        }
        // An address register is never anything else: what is read through it counts as a handle.
        let source_is_good = |o: Operand| {
            let nowhere = matches!(self.function.constant(o), Some(Constant::Undefined | Constant::Bits(0)));
            nowhere || self.is_address(o, &addresses)
        };
        let is_defined_otherwise = |register: &Register| {
            self.function.code.iter().any(|inst| {
                let mut defined = false;
                inst.for_each_destination(|d| defined |= d == *register);
                defined
                    && match inst {
                        Inst::Copy { source, .. } => !source_is_good(*source),
                        Inst::PointerAdd { base, .. } => !source_is_good(*base),
                        Inst::Alloca { .. } => !bases.contains(register),
                        Inst::Call(call) => {
                            !is_call_of(call, &self.roles.allocates) || !bases.contains(register)
                        }
                        _ => true,
                    }
            })
        };
        (!addresses.iter().any(is_defined_otherwise)).then_some(addresses)
    }

    /// The locals and heap blocks that handles are written to; globals are recorded.
    fn bases(&mut self) -> Option<Vec<Register>> {
        let mut open: Vec<Operand> =
            self.calls(&self.roles.creates).map(|c| c.arguments.first().copied()).collect::<Option<_>>()?;
        // What is joined was read from somewhere: that, too.
        let joined: Vec<Register> = self
            .calls(&self.roles.joins)
            .filter_map(|c| c.arguments.first().copied().and_then(Operand::as_register))
            .collect();
        for inst in &self.function.code {
            if let Inst::Load { destination, address, .. } = inst
                && joined.contains(destination)
            {
                open.push(*address);
            }
        }
        let mut locals = Vec::new();
        let mut seen: Vec<Register> = Vec::new();
        while let Some(operand) = open.pop() {
            if let Some(constant) = self.function.constant(operand) {
                let global = match constant {
                    Constant::Global(global, _) => *global,
                    // A pointer before its first assignment: to use it is a fault, or a choice with too many answers.
                    Constant::Undefined | Constant::Bits(0) => continue,
                    _ => return None,
                };
                if !self.globals.contains(&global) {
                    self.globals.push(global);
                }
                continue;
            }
            let register = operand.as_register()?;
            if seen.contains(&register) {
                continue;
            }
            seen.push(register);
            let mut found = false;
            for inst in &self.function.code {
                match inst {
                    Inst::Alloca { destination, .. } if *destination == register => locals.push(register),
                    Inst::Call(call)
                        if is_call_of(call, &self.roles.allocates) && call.results.contains(&register) =>
                    {
                        locals.push(register);
                    }
                    Inst::PointerAdd { destination, base, .. } if *destination == register => {
                        open.push(*base)
                    }
                    Inst::Copy { destination, source } if *destination == register => open.push(*source),
                    _ => continue,
                }
                found = true;
            }
            if !found {
                return None;
            }
        }
        Some(locals)
    }
}
