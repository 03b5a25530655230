//! Boolean programs, after Basler, *Model checking Boolean programs* (2010), appendix A, and the dialects in use.
