//! Whether a program can distinguish its threads by their numbers (for symmetry reduction).
//!
//! A thread's number is known to the thread itself (`self`), to the function that created it (the handle), and to the
//! bytes of the library: the owner of a lock, sets of waiting threads. If no code of the user reads a number other
//! than to join the thread, and only the code that created threads joins them, then exchanging the numbers of two
//! threads, wherever they are kept, changes nothing observable. `Handles::of` gives where they are kept, or `None`
//! when it cannot be sure. Conditions:
//! 1. `self` is used by the library's functions in [`OWNERS`] only, or to find the thread's own block;
//! 2. threads are created and joined by functions that no created thread can run;
//! 3. of the library, the program calls functions that [`is_known`] only: no others know threads or sets of waiting
//!    threads;
//! 4. locks are globals with constant addresses whose bytes no other code touches: they begin with a number;
//! 5. the handle that `pthread_create` or `thrd_create` writes goes to a local, a global or a heap block that is used
//!    for nothing else: its address is added to, compared with null and freed, zero is written there, and what is
//!    read from there goes to `pthread_join` or `thrd_join` only, without a result. Zero is the number of no thread.
//!
//! What a thread runs and its argument do not matter here: they are the thread's own data, not its number. Threads with
//! other arguments are seldom in states that differ by numbers only, so an engine groups threads by [`Group`], and
//! does not exchange those that may still use an argument of their own ([`Handles::argument`]). Both only save work.

use raddle_ir::{
    Call, Callee, Constant, Function, FunctionId, GlobalId, Inst, KernelOp, Operand, OperandKind, Program,
    Register,
};

/// Functions of the library that keep the number of the thread that calls them: as the owner of a lock, for as long as
/// the thread holds it, or as a waiting thread, for as long as it waits.
const OWNERS: &[&str] = &[
    "is_orphaned",
    "raddle_mutex_take",
    "raddle_mutex_lock",
    "raddle_mutex_unlock",
    "raddle_cond_wait",
    "raddle_waiters_add",
    "pthread_mutex_consistent",
    "lock_it",
    "pthread_rwlock_unlock",
    "pthread_spin_lock",
    "pthread_spin_unlock",
];

/// Functions of the library that may be called. Absent: all that takes a handle but to join, `pthread_once` (its flag
/// keeps a number), exit handlers (the last thread runs them), and condition variables and barriers, whose waiting
/// threads are kept in the order of their numbers. Keys of thread-specific data keep values in the thread's own
/// block.
const KNOWN: &[&str] = &[
    "pthread_create",
    "pthread_join",
    "pthread_exit",
    "thrd_create",
    "thrd_join",
    "thrd_exit",
    "thrd_yield",
    "mtx_init",
    "mtx_lock",
    "mtx_trylock",
    "mtx_unlock",
    "mtx_destroy",
    "pthread_key_create",
    "pthread_key_delete",
    "pthread_getspecific",
    "pthread_setspecific",
    "tss_create",
    "tss_delete",
    "tss_get",
    "tss_set",
    "pthread_mutexattr_init",
    "pthread_mutexattr_settype",
    "pthread_mutexattr_setrobust",
    "pthread_mutexattr_destroy",
    "pthread_mutex_consistent",
    "pthread_mutex_timedlock",
    "pthread_mutex_init",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_mutex_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_rwlock_destroy",
    "pthread_spin_init",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "pthread_spin_destroy",
    "sem_init",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "sem_destroy",
    "malloc",
    "calloc",
    "free",
    "abort",
    "exit",
    "sched_yield",
    "usleep",
    "sleep",
    "printf",
    "puts",
    "putchar",
    "memset",
    "memcpy",
    "memcmp",
    "strlen",
    "__assert_fail",
    "raddle_assume",
    "raddle_assert",
    "raddle_atomic_begin",
    "raddle_atomic_end",
    "reach_error",
    "assume_abort_if_not",
    "__VERIFIER_assume",
    "__VERIFIER_assert",
    "__VERIFIER_error",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
];

/// Families of functions that may be called: inputs and atomic accesses.
const KNOWN_PREFIXES: &[&str] =
    &["raddle_any_", "__VERIFIER_nondet_", "__atomic_", "atomic_flag_", "atomic_thread_"];

/// A handle or an address out of nothing could name a thread.
const GUESSES: &[&str] = &[
    "__VERIFIER_nondet_pthread_t",
    "__VERIFIER_nondet_pointer",
    "__VERIFIER_nondet_pchar",
    "__VERIFIER_nondet_memory",
];

fn is_known(name: &str) -> bool {
    let family = || KNOWN_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) && !GUESSES.contains(&name);
    KNOWN.contains(&name) || family()
}

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
    /// Calls that create threads from a constant function.
    sites: Vec<((FunctionId, u32), Group)>,
    /// By function: registers that hold the number of the thread itself.
    own: Vec<Vec<Register>>,
    /// By function: registers that hold an address in a place of handles.
    addresses: Vec<Vec<Register>>,
    /// By function: registers that are computed from an argument of a thread.
    arguments: Vec<Vec<Register>>,
}

/// The functions of the library that handles are given to.
struct Roles {
    creates: Vec<FunctionId>,
    joins: Vec<FunctionId>,
    allocates: Vec<FunctionId>,
    frees: Vec<FunctionId>,
}

impl Roles {
    fn of(program: &Program) -> Roles {
        let named = |names: &[&str]| {
            let functions = program.functions.iter().enumerate();
            let found = functions.filter(|(_, f)| f.library && names.contains(&f.name.as_str()));
            found.map(|(i, _)| FunctionId(i as u32)).collect()
        };
        Roles {
            creates: named(&["pthread_create", "thrd_create"]),
            joins: named(&["pthread_join", "thrd_join"]),
            allocates: named(&["malloc", "calloc"]),
            frees: named(&["free"]),
        }
    }
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
        let own = own_numbers(program)?;
        if !calls_known(program) || !locks_are_apart(program) {
            return None;
        }
        let run = run_by_threads(program);
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
        Some(Handles { globals, sites, own, addresses, arguments })
    }

    /// Registers of a function that hold the number of the thread that runs it.
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

type Calls<'p> = Vec<(&'p str, &'p raddle_ir::Call)>;

/// The library functions that a function calls, and the calls.
fn library_calls<'p>(program: &'p Program, of: &'p Function) -> Calls<'p> {
    let mut calls = Vec::new();
    for inst in &of.code {
        if let Inst::Call(call) = inst
            && let Callee::Direct(callee) = call.callee
            && program.functions[callee.index()].library
        {
            calls.push((program.functions[callee.index()].name.as_str(), &**call));
        }
    }
    calls
}

fn calls_known(program: &Program) -> bool {
    let called = |f: &Function| library_calls(program, f).iter().all(|(name, _)| is_known(name));
    // A library function whose address is taken may be called from anywhere.
    let library = |c: &Constant| matches!(c, Constant::Function(g) if program.functions[g.index()].library);
    let mut users = program.functions.iter().filter(|f| !f.library);
    users.all(|f| called(f) && !f.constants.iter().any(library))
}

fn is_lock(name: &str) -> bool {
    ["pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "sem_", "mtx_"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// Whether the first arguments of lock and semaphore functions are constant places in globals, and nothing else is
/// done there.
fn locks_are_apart(program: &Program) -> bool {
    let place = |f: &Function, o: Operand| match o.kind() {
        OperandKind::Constant(id) => match f.constants.get(id.0 as usize) {
            Some(Constant::Global(global, offset)) => Some((*global, *offset)),
            _ => None,
        },
        OperandKind::Register(_) => None,
    };
    let users = || program.functions.iter().filter(|f| !f.library);
    let mut locks: Vec<(GlobalId, i64)> = Vec::new();
    for function in users() {
        for (_, call) in library_calls(program, function).iter().filter(|(name, _)| is_lock(name)) {
            match call.arguments.first().and_then(|o| place(function, *o)) {
                Some(lock) => locks.push(lock),
                None => return false,
            }
        }
    }
    for function in users() {
        for inst in &function.code {
            let direct = match inst {
                Inst::Call(call) => match call.callee {
                    Callee::Direct(callee) => {
                        let callee = &program.functions[callee.index()];
                        if callee.library && is_lock(&callee.name) {
                            continue;
                        }
                        None
                    }
                    Callee::Indirect(_) => None,
                },
                // Beside a lock, only words at constant places.
                Inst::Load { address, .. } | Inst::Store { address, .. } | Inst::Update { address, .. } => {
                    Some(*address)
                }
                _ => None,
            };
            let mut apart = true;
            inst.for_each_operand(|o| {
                if let Some((global, offset)) = place(function, o) {
                    let near = |(lock, at): &(GlobalId, i64)| {
                        *lock == global && (direct != Some(o) || offset > at - 16 && offset < at + LOCK_BYTES)
                    };
                    apart &= !locks.iter().any(near);
                }
            });
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
        let constant = |o: &Operand| match o.kind() {
            OperandKind::Constant(id) => function.constants.get(id.0 as usize),
            OperandKind::Register(_) => None,
        };
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
                let depends = |o: Operand| register_of(o).is_some_and(|r| all[id.index()].contains(&r));
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

/// The registers that `self` was put into; `None` if it may go further than a library function's own lock.
fn own_numbers(program: &Program) -> Option<Vec<Vec<Register>>> {
    let mut all = Vec::new();
    for function in &program.functions {
        let mut own = Vec::new();
        for inst in &function.code {
            if let Inst::Kernel { op: KernelOp::SelfThread, destination: Some(register), .. } = inst {
                own.push(*register);
            }
        }
        let only_for_block = function.code.iter().all(|inst| {
            let mut used = false;
            inst.for_each_operand(|o| used |= register_of(o).is_some_and(|r| own.contains(&r)));
            !used || matches!(inst, Inst::Kernel { op: KernelOp::Tcb, .. })
        });
        let owner = function.library && OWNERS.contains(&function.name.as_str());
        if !(only_for_block || owner) {
            return None;
        }
        // Copies of it count, too.
        loop {
            let before = own.len();
            for inst in &function.code {
                if let Inst::Copy { destination, source } | Inst::Cast { destination, source, .. } = inst
                    && register_of(*source).is_some_and(|r| own.contains(&r))
                    && !own.contains(destination)
                {
                    own.push(*destination);
                }
            }
            if own.len() == before {
                break;
            }
        }
        all.push(own);
    }
    Some(all)
}

fn register_of(operand: Operand) -> Option<Register> {
    match operand.kind() {
        OperandKind::Register(register) => Some(register),
        OperandKind::Constant(_) => None,
    }
}

/// Functions that a created thread may run: all whose address is taken, and what they call.
fn run_by_threads(program: &Program) -> Vec<bool> {
    let mut run = vec![false; program.functions.len()];
    let mut open: Vec<FunctionId> = Vec::new();
    for constant in program.functions.iter().flat_map(|f| &f.constants) {
        if let Constant::Function(function) = constant {
            open.push(*function);
        }
    }
    for relocation in program.globals.iter().flat_map(|g| &g.initializer.relocations) {
        if let raddle_ir::SymbolTarget::Function(function) = relocation.target {
            open.push(function);
        }
    }
    while let Some(function) = open.pop() {
        if std::mem::replace(&mut run[function.index()], true) {
            continue;
        }
        for inst in &program.functions[function.index()].code {
            if let Inst::Call(call) = inst
                && let Callee::Direct(callee) = call.callee
            {
                open.push(callee);
            }
        }
    }
    run
}

/// How one function keeps handles.
struct Kept<'a> {
    function: &'a Function,
    roles: &'a Roles,
    globals: &'a mut Vec<GlobalId>,
}

impl Kept<'_> {
    fn constant(&self, operand: Operand) -> Option<&Constant> {
        match operand.kind() {
            OperandKind::Constant(id) => self.function.constants.get(id.0 as usize),
            OperandKind::Register(_) => None,
        }
    }

    fn is_zero(&self, operand: Operand) -> bool {
        matches!(self.constant(operand), Some(Constant::Bits(0)))
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
        match self.constant(operand) {
            Some(Constant::Global(global, _)) => self.globals.contains(global),
            Some(_) => false,
            None => register_of(operand).is_some_and(|r| addresses.contains(&r)),
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
                        if register_of(*source).is_some_and(|r| handles.contains(&r)) =>
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
        let is_handle = |o: Operand| register_of(o).is_some_and(|r| handles.contains(&r));
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
            let nowhere = matches!(self.constant(o), Some(Constant::Undefined | Constant::Bits(0)));
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
            .filter_map(|c| c.arguments.first().copied().and_then(register_of))
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
            if let Some(constant) = self.constant(operand) {
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
            let register = register_of(operand)?;
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
