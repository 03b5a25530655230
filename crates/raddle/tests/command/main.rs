//! The command line from outside: what it accepts, refuses, prints and leaves behind. One binary, so that tests that wait
//! for a limit or a signal do so beside others.

mod added_models;
mod added_models_attacks;
mod bad_input;
mod book;
mod boolean_programs;
mod builds;
mod command_line;
mod configuration;
mod damaged_traces;
mod executions;
mod expressions;
mod first_hour;
mod given_files;
mod harnesses;
mod limits;
mod limits_hold;
mod lint;
mod lint_cache;
mod lint_suggest;
mod mistakes;
mod native_replay;
mod outputs;
mod projects;
mod robustness;
mod security;
mod svcomp;
mod symbolic;
mod thread_systems;
mod tool;
mod view;
