//! The tables of a function under construction: registers and their types, constants. Numbers and operands.

use std::collections::HashMap;

use super::cursor::{Parser, Result};
use super::defaults::result_type;
use super::lexer::Token;
use super::printer::for_each_destination;
use super::words::*;
use crate::ids::*;
use crate::instruction::Inst;
use crate::program::*;

/// What is known of a register so far.
#[derive(Clone, Default)]
struct RegisterState {
    ty: Option<RegisterType>,
    local: Option<LocalId>,
    declared: bool,
    mentioned: bool,
}

/// A function under construction.
pub(super) struct BodyBuilder {
    pub function: Function,
    registers: Vec<RegisterState>,
    constants: HashMap<Constant, ConstantId>,
}

impl Parser<'_> {
    /// A number as the bits of a value of type `expected`; a type may be written after it.
    pub fn bits(&mut self, expected: Option<RegisterType>) -> Result<u64> {
        let negative = self.eat('-');
        let Some(Token::Number(text)) = self.peek().cloned() else {
            return self.error("expected a number");
        };
        self.advance();
        let mut ty = expected;
        if let Some(written) = self.type_after_colon() {
            ty = Some(written);
        }
        let is_float = !text.starts_with("0x") && text.contains(['.', 'e', 'E']);
        if is_float {
            let signed = if negative { format!("-{text}") } else { text.to_string() };
            let bits = match ty {
                Some(RegisterType::Float) => signed.parse::<f32>().ok().map(|f| f.to_bits() as u64),
                Some(RegisterType::Double) => signed.parse::<f64>().ok().map(f64::to_bits),
                _ => return self.error_before("a float where no float is expected: write 1.5:double"),
            };
            return bits.map_or_else(|| self.error_before("this is not a number"), Ok);
        }
        let magnitude = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        let Some(magnitude) = magnitude else {
            return self.error_before("this number does not fit 64 bits");
        };
        match ty {
            _ if !negative => Ok(magnitude),
            Some(RegisterType::Int(bits @ 1..=64)) => {
                Ok(magnitude.wrapping_neg() & (u64::MAX >> (64 - bits as u32)))
            }
            _ => self.error_before("a negative number needs its width here: write -1:i32"),
        }
    }
    /// `:i32`, if that is what comes.
    fn type_after_colon(&mut self) -> Option<RegisterType> {
        let ty = match (self.peek(), self.peek_second()) {
            (Some(Token::Punctuation(':')), Some(Token::Word(word))) => type_from_word(word)?,
            _ => return None,
        };
        self.advance();
        self.advance();
        Some(ty)
    }
}

impl BodyBuilder {
    pub fn new(name: String) -> Self {
        BodyBuilder {
            function: Function { name, ..Function::default() },
            registers: Vec::new(),
            constants: HashMap::new(),
        }
    }

    // -- registers ---------------------------------------------------------------------------------------------

    /// The row of a register; the tables stay in proportion to the input.
    fn state(&mut self, parser: &mut Parser, register: Register) -> Result<&mut RegisterState> {
        let index = register.index();
        let rows = (index + 1).saturating_sub(self.registers.len());
        if rows > 0 {
            if register.0 >= 1 << 31 || !parser.allow_registers(rows) {
                return parser.error_before("this register's number is too large for so short a text");
            }
            self.registers.resize(index + 1, RegisterState::default());
        }
        Ok(&mut self.registers[index])
    }
    pub fn register(&mut self, parser: &mut Parser) -> Result<Register> {
        let register = Register(parser.id("r")?);
        self.state(parser, register)?.mentioned = true;
        Ok(register)
    }
    pub fn at_register(&self, parser: &Parser) -> bool {
        parser.peek_word().is_some_and(|word| numbered(word, "r").is_some())
    }
    /// `r3: i32 local2`
    pub fn register_declaration(&mut self, parser: &mut Parser) -> Result<Register> {
        let register = self.register(parser)?;
        parser.expect(':')?;
        let ty = parser.ty()?;
        let local = match parser.peek_word().and_then(|word| numbered(word, "local")) {
            Some(number) => {
                parser.advance();
                Some(LocalId(number))
            }
            None => None,
        };
        let state = self.state(parser, register)?;
        if state.declared {
            return parser.error_before(format!("{register} is declared twice"));
        }
        *state = RegisterState { ty: Some(ty), local, declared: true, mentioned: true };
        Ok(register)
    }
    pub fn known_type(&self, register: Register) -> Option<RegisterType> {
        self.registers.get(register.index()).and_then(|state| state.ty)
    }
    /// `r1: i32, r2 =`, if it comes here.
    pub fn destinations(&mut self, parser: &mut Parser) -> Result<Vec<Register>> {
        let mut registers = Vec::new();
        loop {
            let register = self.register(parser)?;
            if parser.eat(':') {
                let ty = parser.ty()?;
                let state = self.state(parser, register)?;
                if state.ty.is_some_and(|known| known != ty) {
                    return parser.error_before(format!("{register} has another type already"));
                }
                state.ty = Some(ty);
            }
            registers.push(register);
            if !parser.eat(',') {
                break;
            }
        }
        parser.expect('=')?;
        Ok(registers)
    }
    /// The types that the instruction gives to registers that have none yet.
    pub fn note_result_types(&mut self, parser: &mut Parser, inst: &Inst) -> Result<()> {
        let mut registers = Vec::new();
        for_each_destination(inst, |register| registers.push(register));
        for (which, register) in registers.into_iter().enumerate() {
            let state = self.state(parser, register)?;
            state.mentioned = true;
            state.ty = state.ty.or(result_type(inst, which));
            if state.ty.is_none() {
                return parser.error_before(format!(
                    "the type of {register} is not known: write `{register}: i32 = ...`"
                ));
            }
        }
        Ok(())
    }

    /// The function, when its text has been read.
    pub fn finish(mut self, parser: &Parser) -> Result<Function> {
        for (index, state) in self.registers.iter().enumerate() {
            let ty = match state.ty {
                Some(ty) => ty,
                None if state.mentioned => {
                    let name = Register::new(index);
                    return parser.error_before(format!(
                        "{name} of `{}` is never defined: declare it (`{name}: i32`) ahead of the first block",
                        self.function.name
                    ));
                }
                // A number that was skipped.
                None => RegisterType::Int(64),
            };
            self.function.registers.push(RegisterInfo { ty, local: state.local });
        }
        Ok(self.function)
    }

    // -- constants and operands --------------------------------------------------------------------------------

    /// `constants [5, &x, undef]`
    pub fn constant_table(&mut self, parser: &mut Parser) -> Result<()> {
        parser.list('[', ']', |parser| {
            let constant = self.constant(parser, None)?;
            let id = ConstantId::new(self.function.constants.len());
            self.constants.entry(constant.clone()).or_insert(id);
            self.function.constants.push(constant);
            Ok(())
        })
    }
    fn constant(&mut self, parser: &mut Parser, expected: Option<RegisterType>) -> Result<Constant> {
        if parser.eat_word("undef") {
            return Ok(Constant::Undefined);
        }
        if parser.eat_word("null") {
            return Ok(Constant::Bits(0));
        }
        if parser.at('@') {
            return parser.function_reference().map(Constant::Function);
        }
        if let Some(block) = parser.block_address() {
            return Ok(Constant::Block(block));
        }
        if parser.at('&') {
            let global = parser.global_reference()?;
            return Ok(Constant::Global(global, parser.addend()?));
        }
        if parser.at('-') || matches!(parser.peek(), Some(Token::Number(_))) {
            return parser.bits(expected).map(Constant::Bits);
        }
        parser.error("expected an operand (rN, a number, null, undef, &global, @function, &bbN)")
    }
    pub fn operand(&mut self, parser: &mut Parser, expected: Option<RegisterType>) -> Result<Operand> {
        if self.at_register(parser) {
            return self.register(parser).map(Operand::register);
        }
        if let Some(number) = parser.peek_word().and_then(|word| numbered(word, "c")) {
            parser.advance();
            if number as usize >= self.function.constants.len() {
                return parser.error_before(format!("there is no constant c{number}"));
            }
            return Ok(Operand::constant(ConstantId(number)));
        }
        let constant = self.constant(parser, expected)?;
        let next = ConstantId::new(self.function.constants.len());
        let id = *self.constants.entry(constant.clone()).or_insert(next);
        if id == next {
            self.function.constants.push(constant);
        }
        Ok(Operand::constant(id))
    }
    pub fn next_operand(&mut self, parser: &mut Parser, expected: Option<RegisterType>) -> Result<Operand> {
        parser.expect(',')?;
        self.operand(parser, expected)
    }
    pub fn address(&mut self, parser: &mut Parser) -> Result<Operand> {
        parser.expect('[')?;
        let address = self.operand(parser, Some(RegisterType::Pointer))?;
        parser.expect(']')?;
        Ok(address)
    }
    /// The operands up to the end of the line, which may be none.
    pub fn operands_to_end(&mut self, parser: &mut Parser) -> Result<Vec<Operand>> {
        let mut operands = Vec::new();
        if matches!(parser.peek(), None | Some(Token::Newline | Token::Place { .. })) {
            return Ok(operands);
        }
        operands.push(self.operand(parser, None)?);
        while parser.at(',') {
            operands.push(self.next_operand(parser, None)?);
        }
        Ok(operands)
    }
}
