//! Comments put back between the lines of a printed program, by their original places.
//!
//! A comment that begins on the line on which a statement ended stays at the end of its line; every other one gets
//! lines of its own before the next thing printed. So comments keep their order, and printing again changes nothing.

use super::{Comment, Place};

pub(super) struct Comments<'a> {
    rest: &'a [Comment],
}

impl<'a> Comments<'a> {
    pub(super) fn new(comments: &'a [Comment]) -> Comments<'a> {
        Comments { rest: comments }
    }

    /// The comments that start before a place, not yet taken.
    pub(super) fn before(&mut self, place: Place) -> &'a [Comment] {
        let count = self.rest.iter().take_while(|comment| comment.span.start < place).count();
        self.take(count)
    }

    /// The comments that follow a place on its line and come before the next word, which is at `next`.
    pub(super) fn behind(&mut self, place: Place, next: Place) -> &'a [Comment] {
        let on_line = |comment: &&Comment| comment.span.start.line == place.line && comment.span.start < next;
        let count = self.rest.iter().take_while(on_line).count();
        self.take(count)
    }

    /// All that are left.
    pub(super) fn rest(&mut self) -> &'a [Comment] {
        self.take(self.rest.len())
    }

    fn take(&mut self, count: usize) -> &'a [Comment] {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }
}
