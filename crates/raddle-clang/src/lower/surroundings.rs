//! What a program finds when it starts: arguments and environment, as global arrays of texts.

use raddle_ir as ir;

use super::{GlobalRef, Linker};

/// What a program finds when it starts.
#[derive(Clone, Default, Debug)]
pub struct Surroundings {
    /// The arguments of `main` behind the name of the program.
    pub arguments: Vec<String>,
    /// `NAME=VALUE` of each variable of the environment.
    pub variables: Vec<String>,
}

impl Linker<'_> {
    /// A global array of pointers to texts, with a null behind the last.
    fn texts(&mut self, name: &str, texts: &[Vec<u8>]) -> ir::GlobalId {
        let plain = |name: String, size, initializer| ir::Global {
            name,
            size,
            align: 16,
            initializer,
            thread_local: false,
            constant: false,
            external: false,
            ty: None,
            place: ir::Place::default(),
            library: true,
        };
        let word = self.program.data_model.pointer_bytes() as u64;
        let mut relocations = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let id = ir::GlobalId::new(self.program.globals.len());
            let bytes = text.iter().copied().chain([0]).collect::<Vec<u8>>();
            let size = bytes.len() as u64;
            let initializer = ir::Initializer { bytes, ..Default::default() };
            self.program.globals.push(plain(format!("{name}[{index}]"), size, initializer));
            let target = ir::SymbolTarget::Global(id);
            relocations.push(ir::Relocation { offset: index as u64 * word, target, addend: 0 });
        }
        let array = ir::GlobalId::new(self.program.globals.len());
        let initializer = ir::Initializer { relocations, ..Default::default() };
        // One null more: behind argv lies an empty environment.
        self.program.globals.push(plain(name.into(), (texts.len() as u64 + 2) * word, initializer));
        array
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
        let reached = ["environ", "__environ"].into_iter().filter_map(|name| match self.exports.get(name) {
            Some((unit, GlobalRef::Variable(index))) => self.globals.get(&(*unit, *index)).copied(),
            _ => None,
        });
        let reached: Vec<ir::GlobalId> = reached.collect();
        if reached.is_empty() {
            return;
        }
        let Some(envp) = self.envp.or_else(|| self.environment()) else { return };
        for id in reached {
            let target = ir::SymbolTarget::Global(envp);
            let relocations = vec![ir::Relocation { offset: 0, target, addend: 0 }];
            let global = &mut self.program.globals[id.index()];
            global.initializer = ir::Initializer { relocations, ..Default::default() };
        }
    }
}
