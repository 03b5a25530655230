//! What a program finds when it starts: arguments, environment and files with given contents, as global arrays.

use raddle_ir as ir;

use super::{GlobalRef, Linker};

/// What a program finds when it starts.
#[derive(Clone, Default, Debug)]
pub struct Surroundings {
    /// The arguments of `main` behind the name of the program.
    pub arguments: Vec<String>,
    /// `NAME=VALUE` of each variable of the environment.
    pub variables: Vec<String>,
    /// Path and contents of each file that is given.
    pub files: Vec<(String, Vec<u8>)>,
    /// The contents of the standard input, if they are given.
    pub standard_input: Option<Vec<u8>>,
}

/// A global of the models, aligned for anything.
fn array(name: String, size: u64, constant: bool, initializer: ir::Initializer) -> ir::Global {
    ir::Global {
        name,
        size,
        align: 16,
        initializer,
        thread_local: false,
        constant,
        external: false,
        ty: None,
        place: ir::Place::default(),
        library: true,
    }
}

impl Linker<'_> {
    /// A global array of pointers to texts, with a null behind the last.
    fn texts(&mut self, name: &str, texts: &[Vec<u8>]) -> ir::GlobalId {
        let word = self.program.data_model.pointer_bytes() as u64;
        let mut relocations = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let target = ir::SymbolTarget::Global(self.text(format!("{name}[{index}]"), text, false));
            relocations.push(ir::Relocation { offset: index as u64 * word, target, addend: 0 });
        }
        let initializer = ir::Initializer { relocations, ..Default::default() };
        // One null more: behind argv lies an empty environment.
        self.global(array(name.into(), (texts.len() as u64 + 2) * word, false, initializer))
    }

    fn global(&mut self, global: ir::Global) -> ir::GlobalId {
        let id = ir::GlobalId::new(self.program.globals.len());
        self.program.globals.push(global);
        id
    }

    /// The bytes and a zero behind them.
    fn text(&mut self, name: String, text: &[u8], constant: bool) -> ir::GlobalId {
        let bytes = text.iter().copied().chain([0]).collect::<Vec<u8>>();
        self.global(array(
            name,
            bytes.len() as u64,
            constant,
            ir::Initializer { bytes, ..Default::default() },
        ))
    }

    /// The texts of argv.
    pub(super) fn program_arguments(&mut self) -> ir::GlobalId {
        let mut texts = vec![b"program".to_vec()];
        texts.extend(self.surroundings.arguments.iter().map(|text| text.clone().into_bytes()));
        self.texts("argv", &texts)
    }

    /// The variables of the environment, if there are any.
    pub(super) fn environment(&mut self) -> Option<ir::GlobalId> {
        let variables = &self.surroundings.variables;
        let texts: Vec<Vec<u8>> = variables.iter().map(|text| text.clone().into_bytes()).collect();
        (!texts.is_empty()).then(|| self.texts("envp", &texts))
    }

    /// The pointers by which a program reaches its environment lead to it.
    pub(super) fn set_environment(&mut self) {
        let reached: Vec<ir::GlobalId> =
            ["environ", "__environ"].into_iter().filter_map(|name| self.variable(name)).collect();
        if reached.is_empty() {
            return;
        }
        let Some(envp) = self.envp.or_else(|| self.environment()) else { return };
        for id in reached {
            self.lead(id, envp);
        }
    }

    /// The variable of that name, if the program reaches it.
    fn variable(&self, name: &str) -> Option<ir::GlobalId> {
        match self.exports.get(name) {
            Some((unit, GlobalRef::Variable(index))) => self.globals.get(&(*unit, *index)).copied(),
            _ => None,
        }
    }

    /// A pointer variable points to `target` from the start.
    fn lead(&mut self, pointer: ir::GlobalId, target: ir::GlobalId) {
        let target = ir::SymbolTarget::Global(target);
        let relocations = vec![ir::Relocation { offset: 0, target, addend: 0 }];
        self.program.globals[pointer.index()].initializer =
            ir::Initializer { relocations, ..Default::default() };
    }

    /// The models' variables that lead to given files: no program changes them, so a read of one is no visible step.
    pub(super) fn set_given_files(&mut self) {
        let files = self.surroundings.files.clone();
        if let Some(pointer) = self.variable("raddle_given_files") {
            self.program.globals[pointer.index()].constant = true;
            if !files.is_empty() {
                let table = self.given("given files", &files);
                self.lead(pointer, table);
            }
        }
        if let Some(pointer) = self.variable("raddle_given_input") {
            self.program.globals[pointer.index()].constant = true;
            if let Some(contents) = self.surroundings.standard_input.clone() {
                let table = self.given("standard input", &[("-".into(), contents)]);
                self.lead(pointer, table);
            }
        }
    }

    /// A table of `struct raddle_given`, the last one with a null name.
    fn given(&mut self, name: &str, files: &[(String, Vec<u8>)]) -> ir::GlobalId {
        let word = self.program.data_model.pointer_bytes() as u64;
        let row = 3 * word;
        let mut bytes = vec![0; ((files.len() as u64 + 1) * row) as usize];
        let mut relocations = Vec::new();
        for (index, (path, contents)) in files.iter().enumerate() {
            let start = index as u64 * row;
            let targets = [
                self.text(format!("{name}[{index}].name"), path.as_bytes(), true),
                self.text(format!("{name}[{index}].bytes"), contents, true),
            ];
            for (at, target) in targets.into_iter().enumerate() {
                let target = ir::SymbolTarget::Global(target);
                relocations.push(ir::Relocation { offset: start + at as u64 * word, target, addend: 0 });
            }
            let size = (contents.len() as u64).to_le_bytes();
            let at = (start + 2 * word) as usize;
            bytes[at..at + word as usize].copy_from_slice(&size[..word as usize]);
        }
        let initializer = ir::Initializer { bytes, relocations, ..Default::default() };
        self.global(array(name.into(), (files.len() as u64 + 1) * row, true, initializer))
    }
}
