//! Debug intrinsics (`call void @llvm.dbg.declare(...)`) and debug records (`#dbg_declare(...)`): two spellings
//! of the same thing, one item of the tree.

use super::{Parsed, Parser};
use crate::llvm::ast::*;
use crate::llvm::lexer::Token;

impl<'a> Parser<'a> {
    /// A record; `None` if its kind is not known.
    pub(super) fn debug_record(&mut self, name: &'a str) -> Parsed<Option<Instruction>> {
        let kind = match name {
            "dbg_declare" | "dbg_declare_value" => DebugKind::Declare,
            "dbg_value" => DebugKind::Value,
            "dbg_assign" => DebugKind::Assign,
            "dbg_label" => DebugKind::Label,
            _ => {
                self.lexer.take_line();
                self.advance();
                return Ok(None);
            }
        };
        self.advance();
        self.expect(b'(')?;
        let mut items = Vec::new();
        while !self.is(b')') {
            items.push(self.metadata_item()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        let location = items.pop().flatten();
        let record = self.debug_item(kind, &items, location);
        Ok(Some(Instruction { result: None, op: Op::Debug(Box::new(record)), dbg: location, offset: 0 }))
    }

    /// A call, or the debug item that it is.
    pub(super) fn debug_intrinsic(&mut self, call: Box<Call>, location: Option<MetaId>) -> Op {
        let Callee::Value(Value::Global(name)) = call.callee else { return Op::Call(call) };
        let Some(name) = self.module.names.text(name).strip_prefix("llvm.dbg.") else {
            return Op::Call(call);
        };
        let kind = match name {
            "declare" | "addr" => DebugKind::Declare,
            "value" => DebugKind::Value,
            "assign" => DebugKind::Assign,
            "label" => DebugKind::Label,
            _ => return Op::Call(call),
        };
        let item = |argument: &Argument| match argument.operand.value {
            Value::Metadata(node) => Some(node),
            _ => None,
        };
        let items: Vec<Option<MetaId>> = call.arguments.iter().map(item).collect();
        Op::Debug(Box::new(self.debug_item(kind, &items, location)))
    }

    /// The items of both spellings are in the same order: value, variable, expression; for an assignment also
    /// its id, address and expression of the address.
    fn debug_item(&self, kind: DebugKind, items: &[Option<MetaId>], location: Option<MetaId>) -> DebugRecord {
        let at = |index: usize| items.get(index).copied().flatten();
        if kind == DebugKind::Label {
            let variable = at(0);
            return DebugRecord {
                kind,
                operands: [].into(),
                address: None,
                variable,
                expression: None,
                location,
            };
        }
        let operands = at(0).map_or_else(|| [].into(), |node| self.values_of(node));
        let address = match kind {
            DebugKind::Assign => at(4).and_then(|node| self.values_of(node).first().copied()),
            _ => None,
        };
        DebugRecord { kind, operands, address, variable: at(1), expression: at(2), location }
    }

    /// The values of a metadata operand: one, several of a `DIArgList`, or none of `!{}`.
    fn values_of(&self, node: MetaId) -> Box<[Operand]> {
        match self.module.meta(node) {
            MetaNode::Value(operand) => [*operand].into(),
            MetaNode::Tuple(parts) => {
                parts.iter().flatten().flat_map(|&part| self.values_of_part(part)).collect()
            }
            _ => [].into(),
        }
    }

    fn values_of_part(&self, node: MetaId) -> Option<Operand> {
        match self.module.meta(node) {
            MetaNode::Value(operand) => Some(*operand),
            _ => None,
        }
    }

    /// What follows the type `metadata` in a call.
    pub(super) fn metadata_argument(&mut self) -> Parsed<MetaId> {
        match self.metadata_item()? {
            Some(node) => Ok(node),
            None => Ok(self.metadata(MetaNode::Dropped)),
        }
    }

    /// A node, or a value wrapped as one.
    pub(super) fn metadata_item(&mut self) -> Parsed<Option<MetaId>> {
        match self.token {
            Token::Meta(_) | Token::Bang | Token::Word("null") => self.meta_node(),
            _ => {
                let operand = self.operand()?;
                Ok(Some(self.metadata(MetaNode::Value(operand))))
            }
        }
    }
}
