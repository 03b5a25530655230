//! What several tests share: random numbers, random formulas, words and their semantics, the product of both.
#![allow(dead_code)]

pub mod random;
pub mod word;
