//! Metadata: numbered and named nodes, tuples, strings, and the debug-information nodes that are kept.

use super::{Parsed, Parser};
use crate::llvm::ast::*;
use crate::llvm::lexer::Token;
use std::borrow::Cow;

/// The value of a field of a debug-information node.
#[derive(Clone, Copy)]
enum Field<'a> {
    Number(i128),
    Node(Option<MetaId>),
    Text(Symbol),
    Word(&'a str),
}

/// The fields of one node, in the order of the text.
struct Fields<'a>(Vec<(Cow<'a, str>, Field<'a>)>);

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Option<Field<'a>> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| *value)
    }

    fn node(&self, name: &str) -> Option<MetaId> {
        match self.get(name)? {
            Field::Node(node) => node,
            _ => None,
        }
    }

    fn text(&self, name: &str) -> Option<Symbol> {
        match self.get(name)? {
            Field::Text(symbol) => Some(symbol),
            _ => None,
        }
    }

    fn number(&self, name: &str) -> i128 {
        match self.get(name) {
            Some(Field::Number(number)) => number,
            _ => 0,
        }
    }

    fn line(&self, name: &str) -> u32 {
        u32::try_from(self.number(name)).unwrap_or(0)
    }

    fn size(&self, name: &str) -> u64 {
        u64::try_from(self.number(name)).unwrap_or(0)
    }

    fn word(&self, name: &str) -> &'a str {
        match self.get(name) {
            Some(Field::Word(word)) => word,
            _ => "",
        }
    }

    /// Whether one of the `flags` is this one.
    fn flag(&self, flag: &str) -> bool {
        self.0.iter().any(|(name, value)| {
            matches!(name.as_ref(), "flags" | "spFlags")
                && matches!(value, Field::Word(word) if *word == flag)
        })
    }
}

impl<'a> Parser<'a> {
    /// The id of `!N`, perhaps before its definition.
    fn numbered_node(&mut self, number: u32) -> MetaId {
        if let Some(&id) = self.numbered.get(&number) {
            return id;
        }
        let id = self.metadata(MetaNode::Dropped);
        self.numbered.insert(number, id);
        id
    }

    /// A node in place: `!7`, `!{...}`, `!"text"`, `!DI...(...)`, `null`.
    pub(super) fn meta_node(&mut self) -> Parsed<Option<MetaId>> {
        match self.token {
            Token::Meta(name) => {
                if name.bytes().all(|b| b.is_ascii_digit()) {
                    let Ok(number) = name.parse() else { return self.unexpected("a metadata number") };
                    let offset = self.offset;
                    self.advance();
                    if !self.numbered.contains_key(&number) {
                        self.pending_metadata.insert(number, offset);
                    }
                    return Ok(Some(self.numbered_node(number)));
                }
                let node = self.special_node()?;
                Ok(Some(self.metadata(node)))
            }
            Token::Bang => {
                let node = self.plain_node()?;
                Ok(Some(self.metadata(node)))
            }
            Token::Word("null") => {
                self.advance();
                Ok(None)
            }
            Token::Word("distinct") => {
                self.advance();
                self.meta_node()
            }
            _ => self.unexpected("metadata"),
        }
    }

    /// `!{...}` or `!"..."`.
    fn plain_node(&mut self) -> Parsed<MetaNode> {
        self.advance();
        if let Token::Str(_) = self.token {
            return Ok(MetaNode::String(self.string_symbol()?));
        }
        self.expect(b'{')?;
        let mut parts = Vec::new();
        while !self.is(b'}') {
            parts.push(self.nested(|parser| parser.metadata_item())?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(MetaNode::Tuple(parts.into()))
    }

    /// `!7 = ...` or `!name = !{...}`, at the top level.
    pub(super) fn metadata_definition(&mut self) -> Parsed<()> {
        let Token::Meta(name) = self.token else { return self.unexpected("metadata") };
        self.advance();
        self.expect(b'=')?;
        if !name.bytes().all(|b| b.is_ascii_digit()) {
            let symbol = self.module.names.intern(name);
            let node = self.plain_node()?;
            if let MetaNode::Tuple(parts) = node {
                let parts = parts.iter().copied().flatten().collect();
                self.module.named_metadata.insert(symbol, parts);
            }
            return Ok(());
        }
        let Ok(number) = name.parse() else { return self.unexpected("a metadata number") };
        self.eat_word("distinct");
        let node = match self.token {
            Token::Bang => self.plain_node()?,
            Token::Meta(_) => self.special_node()?,
            _ => {
                // Texts of long ago put a type before the tuple.
                return self.unexpected("a metadata node");
            }
        };
        let id = self.numbered_node(number);
        self.pending_metadata.remove(&number);
        self.module.metadata[id.0 as usize] = node;
        Ok(())
    }

    /// `!DI...( fields )`.
    fn special_node(&mut self) -> Parsed<MetaNode> {
        let Token::Meta(kind) = self.token else { return self.unexpected("metadata") };
        self.advance();
        match kind {
            "DIExpression" => self.expression_node(),
            "DIArgList" => {
                self.expect(b'(')?;
                let mut parts = Vec::new();
                while !self.is(b')') {
                    parts.push(self.nested(|parser| parser.metadata_item())?);
                    if !self.eat(b',') {
                        break;
                    }
                }
                self.expect(b')')?;
                Ok(MetaNode::Tuple(parts.into()))
            }
            _ if is_kept(kind) => {
                let fields = self.nested(|parser| parser.fields())?;
                Ok(self.build(kind, &fields))
            }
            _ => {
                if !self.is(b'(') {
                    return self.unexpected("`(`");
                }
                self.skip_brackets()?;
                Ok(MetaNode::Dropped)
            }
        }
    }

    fn expression_node(&mut self) -> Parsed<MetaNode> {
        self.expect(b'(')?;
        let mut items = Vec::new();
        while !self.is(b')') {
            items.push(match self.token {
                Token::Word(word) => {
                    self.advance();
                    ExpressionItem::Word(self.module.names.intern(word))
                }
                _ => ExpressionItem::Number(self.number()?),
            });
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(MetaNode::Expression(items.into()))
    }

    fn fields(&mut self) -> Parsed<Fields<'a>> {
        self.expect(b'(')?;
        let mut fields = Fields(Vec::with_capacity(8));
        while !self.is(b')') {
            let Token::Label(name) = self.token else { return self.unexpected("the name of a field") };
            let name = name.text();
            self.advance();
            loop {
                let value = self.field()?;
                fields.0.push((name.clone(), value));
                if !self.eat(b'|') {
                    break;
                }
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(fields)
    }

    fn field(&mut self) -> Parsed<Field<'a>> {
        match self.token {
            Token::Int(digits) => {
                let number =
                    digits.parse().unwrap_or(if digits.starts_with('-') { i128::MIN } else { i128::MAX });
                self.advance();
                Ok(Field::Number(number))
            }
            Token::Number(_) => {
                self.advance();
                Ok(Field::Number(0))
            }
            Token::Str(_) => Ok(Field::Text(self.string_symbol()?)),
            Token::Meta(_) | Token::Bang => Ok(Field::Node(self.meta_node()?)),
            Token::Word("null") => {
                self.advance();
                Ok(Field::Node(None))
            }
            Token::Word(_) if self.at_type() => self.value_field(),
            Token::Word(word) => {
                self.advance();
                Ok(Field::Word(word))
            }
            Token::Char(b'{') => {
                self.skip_brackets()?;
                Ok(Field::Node(None))
            }
            _ => self.value_field(),
        }
    }

    /// A value with its type (`extraData: i64 0`): a number if it is one.
    fn value_field(&mut self) -> Parsed<Field<'a>> {
        let operand = self.operand()?;
        if let Value::Const(id) = operand.value
            && let ConstKind::Int(value) = self.module.constant(id).kind
        {
            return Ok(Field::Number(i128::from(value)));
        }
        Ok(Field::Node(Some(self.metadata(MetaNode::Value(operand)))))
    }

    fn build(&mut self, kind: &str, fields: &Fields<'a>) -> MetaNode {
        let empty = self.module.names.intern("");
        let name = fields.text("name").unwrap_or(empty);
        let scope = fields.node("scope");
        let file = fields.node("file");
        let line = fields.line("line");
        match kind {
            "DILocation" => MetaNode::Location {
                line,
                column: fields.line("column"),
                scope,
                inlined_at: fields.node("inlinedAt"),
            },
            "DISubprogram" => MetaNode::Subprogram(Box::new(Subprogram {
                name,
                linkage_name: fields.text("linkageName"),
                scope,
                file,
                line,
                scope_line: fields.line("scopeLine"),
                ty: fields.node("type"),
                unit: fields.node("unit"),
                retained: fields.node("retainedNodes"),
                annotations: fields.node("annotations"),
            })),
            "DIFile" => MetaNode::File {
                name: fields.text("filename").unwrap_or(empty),
                directory: fields.text("directory").unwrap_or(empty),
            },
            "DICompileUnit" => MetaNode::CompileUnit { file, globals: fields.node("globals") },
            "DILexicalBlock" | "DILexicalBlockFile" => {
                MetaNode::LexicalBlock { scope, file, line, column: fields.line("column") }
            }
            "DILocalVariable" | "DIGlobalVariable" => MetaNode::Variable(Box::new(DebugVariable {
                name,
                scope,
                file,
                line,
                ty: fields.node("type"),
                argument: fields.line("arg"),
                global: kind == "DIGlobalVariable",
                artificial: fields.flag("DIFlagArtificial"),
                annotations: fields.node("annotations"),
            })),
            "DIGlobalVariableExpression" => {
                MetaNode::VariableExpression { variable: fields.node("var"), expression: fields.node("expr") }
            }
            "DILabel" => MetaNode::Label { name, scope, file, line },
            "DIBasicType" => MetaNode::BasicType {
                name,
                size: fields.size("size"),
                encoding: Encoding::from_word(fields.word("encoding")),
            },
            "DIDerivedType" => MetaNode::DerivedType(Box::new(DerivedType {
                tag: Tag::from_word(fields.word("tag")),
                name: fields.text("name"),
                base: fields.node("baseType"),
                scope,
                file,
                line,
                size: fields.size("size"),
                offset: fields.size("offset"),
                bit_field: fields.flag("DIFlagBitField"),
                storage_offset: match fields.get("extraData") {
                    Some(Field::Number(offset)) => u64::try_from(offset).ok(),
                    _ => None,
                },
                annotations: fields.node("annotations"),
            })),
            "DICompositeType" => MetaNode::CompositeType(Box::new(CompositeType {
                tag: Tag::from_word(fields.word("tag")),
                name: fields.text("name"),
                base: fields.node("baseType"),
                file,
                line,
                size: fields.size("size"),
                elements: fields.node("elements"),
                identifier: fields.text("identifier"),
                forward: fields.flag("DIFlagFwdDecl"),
                vector: fields.flag("DIFlagVector"),
            })),
            "DISubroutineType" => MetaNode::SubroutineType { types: fields.node("types") },
            "DISubrange" => MetaNode::Subrange {
                count: match fields.get("count") {
                    Some(Field::Number(count)) if count >= 0 => {
                        i64::try_from(count).map_or(Count::Unknown, Count::Known)
                    }
                    Some(Field::Node(Some(node))) => Count::Node(node),
                    _ => Count::Unknown,
                },
                lower: i64::try_from(fields.number("lowerBound")).unwrap_or(0),
            },
            "DIEnumerator" => MetaNode::Enumerator { name, value: fields.number("value") },
            _ => MetaNode::Dropped,
        }
    }
}

/// The kinds of nodes that `build` handles.
fn is_kept(kind: &str) -> bool {
    matches!(
        kind,
        "DILocation"
            | "DISubprogram"
            | "DIFile"
            | "DICompileUnit"
            | "DILexicalBlock"
            | "DILexicalBlockFile"
            | "DILocalVariable"
            | "DIGlobalVariable"
            | "DIGlobalVariableExpression"
            | "DILabel"
            | "DIBasicType"
            | "DIDerivedType"
            | "DICompositeType"
            | "DISubroutineType"
            | "DISubrange"
            | "DIEnumerator"
    )
}
