//! The HTML view: what the page contains, and what it does in a browser.

mod browser;
mod content;
mod pages;
#[path = "../samples/mod.rs"]
mod samples;
mod webdriver;
