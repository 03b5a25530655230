//! Names for people: source places, variables and C types from the debug metadata.

use raddle_ir as ir;
use rustc_hash::FxHashMap;

use super::Linker;
use crate::llvm::ast::{Count, Encoding, MetaId, MetaNode, Tag, Variable};

/// What was already translated of one unit.
#[derive(Default)]
pub(crate) struct DebugNames {
    files: FxHashMap<MetaId, ir::FileId>,
    places: FxHashMap<MetaId, ir::Place>,
    types: FxHashMap<MetaId, ir::CTypeId>,
    void: Option<ir::CTypeId>,
    /// How many types are being translated, each for the one before.
    depth: u32,
}

/// Deeper types than any program has are not shown.
const MAX_DEPTH: u32 = 300;

impl Linker<'_> {
    fn file(&mut self, unit: usize, id: MetaId) -> ir::FileId {
        if let Some(file) = self.debug[unit].files.get(&id) {
            return *file;
        }
        let module = self.module(unit);
        let name = match module.meta(id) {
            MetaNode::File { name, directory } => {
                let (name, directory) = (module.text(*name), module.text(*directory));
                // Paths as the user wrote them: the compiler splits them when they are absolute. Where the source is
                // relative to the current folder, so are the files beside it.
                if name.starts_with('/') || directory.is_empty() {
                    name.to_string()
                } else {
                    match &module.source_filename {
                        Some(source) if **source == *name || !source.starts_with('/') => name.to_string(),
                        _ => format!("{}/{name}", directory.trim_end_matches('/')),
                    }
                }
            }
            _ => "<unknown>".to_string(),
        };
        let files = &mut self.program.files;
        let file = *self.file_ids.entry(name.clone()).or_insert_with(|| {
            files.push(name);
            ir::FileId::new(files.len() - 1)
        });
        self.debug[unit].files.insert(id, file);
        file
    }

    /// The file of a scope: its own, or that of the scope around it.
    fn scope_file(&mut self, unit: usize, scope: Option<MetaId>) -> ir::FileId {
        let mut scope = scope;
        for _ in 0..1000 {
            let Some(id) = scope else { break };
            match self.module(unit).meta(id) {
                MetaNode::Subprogram(s) if s.file.is_some() => {
                    return self.file(unit, s.file.expect("just seen"));
                }
                MetaNode::LexicalBlock { file: Some(file), .. } => return self.file(unit, *file),
                MetaNode::LexicalBlock { scope: outer, .. } => scope = *outer,
                MetaNode::File { .. } => return self.file(unit, id),
                _ => break,
            }
        }
        ir::FileId(0)
    }

    pub fn place(&mut self, unit: usize, location: Option<MetaId>) -> Option<ir::Place> {
        let id = location?;
        if let Some(place) = self.debug[unit].places.get(&id) {
            return Some(*place);
        }
        let MetaNode::Location { line, column, scope, .. } = self.module(unit).meta(id) else { return None };
        let (line, column, scope) = (*line, *column, *scope);
        let place = ir::Place { file: self.scope_file(unit, scope), line, column };
        self.debug[unit].places.insert(id, place);
        Some(place)
    }

    pub fn subprogram_place(&mut self, unit: usize, id: Option<MetaId>) -> ir::Place {
        match id.map(|id| self.module(unit).meta(id)) {
            Some(MetaNode::Subprogram(s)) => {
                let (file, line) = (s.file, s.line);
                let file = file.map_or(ir::FileId(0), |f| self.file(unit, f));
                ir::Place { file, line, column: 0 }
            }
            _ => ir::Place::default(),
        }
    }

    /// Name, type and declaration of a global variable.
    pub fn global_debug(
        &mut self,
        unit: usize,
        variable: &Variable,
    ) -> (String, Option<ir::CTypeId>, ir::Place) {
        let module = self.module(unit);
        let own = module.text(variable.name).to_string();
        for id in variable.dbg.iter() {
            let node = match module.meta(*id) {
                MetaNode::VariableExpression { variable: Some(v), .. } => module.meta(*v),
                node => node,
            };
            if let MetaNode::Variable(v) = node {
                let name = module.text(v.name);
                // A static local is `function.name` in the text; people know it by its own name.
                let name = if name.is_empty() { own } else { name.to_string() };
                let place = ir::Place {
                    file: v.file.map_or(ir::FileId(0), |f| self.file(unit, f)),
                    line: v.line,
                    column: 0,
                };
                return (name, v.ty.map(|t| self.ctype(unit, t)), place);
            }
        }
        (own, None, ir::Place::default())
    }

    /// Name, type and declaration of a local variable.
    pub fn local_debug(&mut self, unit: usize, variable: MetaId) -> Option<(String, ir::CTypeId, ir::Place)> {
        let module = self.module(unit);
        let MetaNode::Variable(v) = module.meta(variable) else { return None };
        if v.artificial {
            return None;
        }
        let place =
            ir::Place { file: v.file.map_or(ir::FileId(0), |f| self.file(unit, f)), line: v.line, column: 0 };
        let ty = match v.ty {
            Some(ty) => self.ctype(unit, ty),
            None => self.void(unit),
        };
        Some((module.text(v.name).to_string(), ty, place))
    }

    fn add_type(&mut self, ty: ir::CType) -> ir::CTypeId {
        self.program.ctypes.push(ty);
        ir::CTypeId::new(self.program.ctypes.len() - 1)
    }

    fn void(&mut self, unit: usize) -> ir::CTypeId {
        if let Some(id) = self.debug[unit].void {
            return id;
        }
        let id = self.add_type(ir::CType::Void);
        self.debug[unit].void = Some(id);
        id
    }

    fn base_type(&mut self, unit: usize, base: Option<MetaId>) -> ir::CTypeId {
        match base {
            Some(base) => self.ctype(unit, base),
            None => self.void(unit),
        }
    }

    /// The C type behind a metadata node.
    pub fn ctype(&mut self, unit: usize, id: MetaId) -> ir::CTypeId {
        if let Some(known) = self.debug[unit].types.get(&id) {
            return *known;
        }
        if self.debug[unit].depth >= MAX_DEPTH {
            return self.void(unit);
        }
        self.debug[unit].depth += 1;
        // Types may refer to themselves through pointers: the slot comes first, its content later.
        let slot = self.add_type(ir::CType::Void);
        self.debug[unit].types.insert(id, slot);
        let module = self.module(unit);
        let text = |symbol| module.text(symbol).to_string();
        let name = |symbol: Option<_>| symbol.map_or_else(String::new, text);
        let ty = match module.meta(id) {
            MetaNode::BasicType { name, size, encoding } => {
                let (name, size) = (text(*name), (*size / 8) as u32);
                match encoding {
                    Encoding::Float => ir::CType::Float { name, size },
                    Encoding::ComplexFloat | Encoding::Other | Encoding::Address => {
                        ir::CType::Opaque { name, size: size as u64 }
                    }
                    _ => ir::CType::Integer {
                        name,
                        size,
                        signed: matches!(encoding, Encoding::Signed | Encoding::SignedChar),
                        boolean: *encoding == Encoding::Boolean,
                        character: matches!(encoding, Encoding::SignedChar | Encoding::UnsignedChar),
                    },
                }
            }
            MetaNode::DerivedType(d) => {
                let base = d.base;
                match d.tag {
                    Tag::Pointer | Tag::Reference => ir::CType::Pointer(self.base_type(unit, base)),
                    Tag::Typedef => {
                        let name = name(d.name);
                        ir::CType::Typedef { name, target: self.base_type(unit, base) }
                    }
                    Tag::Const | Tag::Volatile | Tag::Atomic | Tag::Restrict => {
                        let word = match d.tag {
                            Tag::Const => "const",
                            Tag::Volatile => "volatile",
                            Tag::Atomic => "_Atomic",
                            _ => "restrict",
                        };
                        ir::CType::Qualified { word: word.into(), target: self.base_type(unit, base) }
                    }
                    _ => ir::CType::Opaque { name: name(d.name), size: d.size / 8 },
                }
            }
            MetaNode::CompositeType(c) => {
                let (own, size) = (name(c.name), c.size / 8);
                let elements: Vec<MetaId> = match c.elements.map(|e| module.meta(e)) {
                    Some(MetaNode::Tuple(items)) => items.iter().flatten().copied().collect(),
                    _ => Vec::new(),
                };
                match c.tag {
                    Tag::Array => self.array_type(unit, c.base, &elements),
                    Tag::Enum => {
                        let values = elements.iter().filter_map(|e| match module.meta(*e) {
                            MetaNode::Enumerator { name, value } => Some((text(*name), *value as i64)),
                            _ => None,
                        });
                        ir::CType::Enum { name: own, size: size as u32, values: values.collect() }
                    }
                    Tag::Struct | Tag::Class | Tag::Union => {
                        let union = c.tag == Tag::Union;
                        let members = self.members(unit, &elements);
                        if union {
                            ir::CType::Union { name: own, size, members }
                        } else {
                            ir::CType::Struct { name: own, size, members }
                        }
                    }
                    _ => ir::CType::Opaque { name: own, size },
                }
            }
            MetaNode::SubroutineType { .. } => ir::CType::Function,
            _ => ir::CType::Opaque { name: String::new(), size: 0 },
        };
        self.debug[unit].depth -= 1;
        self.program.ctypes[slot.index()] = ty;
        slot
    }

    /// `int a[2][3]` has one node with two ranges: the outermost first.
    fn array_type(&mut self, unit: usize, base: Option<MetaId>, ranges: &[MetaId]) -> ir::CType {
        let mut element = self.base_type(unit, base);
        let counts: Vec<Option<u64>> = ranges
            .iter()
            .map(|r| match self.module(unit).meta(*r) {
                MetaNode::Subrange { count: Count::Known(n), .. } => u64::try_from(*n).ok(),
                _ => None,
            })
            .collect();
        let Some((first, rest)) = counts.split_first() else {
            return ir::CType::Array { element, count: None };
        };
        for count in rest.iter().rev() {
            element = self.add_type(ir::CType::Array { element, count: *count });
        }
        ir::CType::Array { element, count: *first }
    }

    fn members(&mut self, unit: usize, elements: &[MetaId]) -> Vec<ir::Member> {
        let mut members = Vec::new();
        for element in elements {
            let module = self.module(unit);
            if let MetaNode::DerivedType(d) = module.meta(*element)
                && d.tag == Tag::Member
            {
                let name = d.name.map_or_else(String::new, |n| module.text(n).to_string());
                let bit_width = d.bit_field.then_some(d.size as u32);
                let ty = self.base_type(unit, d.base);
                members.push(ir::Member { name, bit_offset: d.offset, bit_width, ty });
            }
        }
        members
    }
}
