//! A browser as a user has it: keys and clicks through WebDriver (the W3C protocol, JSON over HTTP), spoken here directly
//! with `chromedriver`. A missing browser is a failure, not a test that is skipped.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

pub const RIGHT: &str = "\u{e014}";
pub const LEFT: &str = "\u{e012}";
pub const HOME: &str = "\u{e011}";
pub const END: &str = "\u{e010}";
pub const PAGE_DOWN: &str = "\u{e00f}";
pub const PAGE_UP: &str = "\u{e00e}";
pub const ESCAPE: &str = "\u{e00c}";
pub const TAB: &str = "\u{e004}";

/// A test that measures time has no other browser beside it.
static BROWSERS: RwLock<()> = RwLock::new(());

enum Turn {
    Shared(#[allow(dead_code)] RwLockReadGuard<'static, ()>),
    Alone(#[allow(dead_code)] RwLockWriteGuard<'static, ()>),
}

/// A browser with an own, empty profile; ended when dropped.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    pub folder: PathBuf,
    _turn: Turn,
}

const SWITCHES: &[&str] = &[
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

impl Browser {
    pub fn start(name: &str) -> Browser {
        Browser::new(name, Turn::Shared(BROWSERS.read().unwrap_or_else(PoisonError::into_inner)))
    }

    /// While this one runs, no other does.
    pub fn alone(name: &str) -> Browser {
        Browser::new(name, Turn::Alone(BROWSERS.write().unwrap_or_else(PoisonError::into_inner)))
    }

    fn new(name: &str, turn: Turn) -> Browser {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is missing: scripts/setup.sh chromium chromium-driver");
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines
            .find_map(|line| {
                let line = line.ok()?;
                line.split("successfully on port ").nth(1)?.trim_end_matches('.').parse().ok()
            })
            .expect("chromedriver says its port");
        let mut browser = Browser { driver, port, session: String::new(), folder, _turn: turn };
        let profile = format!("--user-data-dir={}", browser.folder.join("profile").display());
        let switches: Vec<&str> = SWITCHES.iter().copied().chain([profile.as_str()]).collect();
        let options = json!({ "args": switches });
        let wanted = json!({ "alwaysMatch": { "browserName": "chrome", "goog:chromeOptions": options } });
        let answer = browser.http("POST", "/session", &json!({ "capabilities": wanted }));
        browser.session = answer["sessionId"].as_str().expect("a session").to_string();
        browser
    }

    fn http(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut answer = String::new();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        reader.take(length).read_to_string(&mut answer).unwrap();
        let value: Value = serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{e}: {answer}"));
        if let Some(error) = value["value"]["error"].as_str() {
            panic!("{method} {path}: {error}: {}", value["value"]["message"]);
        }
        value["value"].clone()
    }

    fn post(&self, command: &str, body: Value) -> Value {
        self.http("POST", &format!("/session/{}/{command}", self.session), &body)
    }

    /// Writes a page to a file and opens it there, from the disk.
    pub fn open(&self, page: &str, fragment: &str) {
        let path = self.folder.join("page.html");
        std::fs::write(&path, page).unwrap();
        // Another fragment alone would not load the page again.
        self.post("url", json!({ "url": "about:blank" }));
        self.post("url", json!({ "url": format!("file://{}{fragment}", path.display()) }));
    }

    pub fn eval(&self, script: &str) -> Value {
        self.post("execute/sync", json!({ "script": script, "args": [] }))
    }

    pub fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({}).innerText;", json!(selector));
        self.eval(&script).as_str().unwrap_or_else(|| panic!("{selector}")).to_string()
    }

    /// Presses and releases keys, one after the other.
    pub fn press(&self, keys: &[&str]) {
        let actions: Vec<Value> = keys
            .iter()
            .flat_map(|key| ["keyDown", "keyUp"].map(|what| json!({ "type": what, "value": key })))
            .collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.post("actions", json!({ "actions": [keyboard] }));
    }

    pub fn click(&self, selector: &str) {
        let found = self.post("element", json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_string();
        self.post(&format!("element/{id}/click"), json!({}));
    }

    pub fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", size);
    }

    /// As if the system was set to `light` or `dark`.
    pub fn prefer(&self, scheme: &str) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
    }

    fn devtools(&self, command: &str, parameters: Value) {
        self.post("goog/cdp/execute", json!({ "cmd": command, "params": parameters }));
    }

    /// What the browser reported: errors of the script, what the page's policy refused.
    pub fn reported(&self) -> Vec<String> {
        let log = self.post("se/log", json!({ "type": "browser" }));
        log.as_array().unwrap().iter().map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.http("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
