//! Reads the lines of the reference encodings: a flat JSON object each, of texts, numbers in lists and texts in lists.

use serde_json::Value;

/// One line, read by name; a field that is missing or of another kind is a broken file, and panics.
pub struct Line(Value);

/// All lines of a file with this content.
pub fn read(content: &str) -> Vec<Line> {
    content.lines().map(|line| Line(serde_json::from_str(line).expect("a line of JSON"))).collect()
}

#[allow(dead_code, reason = "each program that includes this file asks for other fields")]
impl Line {
    pub fn text(&self, name: &str) -> &str {
        self.0[name].as_str().unwrap_or_else(|| panic!("{name} is {}", self.0[name]))
    }

    pub fn numbers(&self, name: &str) -> Vec<u32> {
        self.list(name).iter().map(|value| value.as_u64().expect("a number") as u32).collect()
    }

    pub fn texts(&self, name: &str) -> Vec<&str> {
        self.list(name).iter().map(|value| value.as_str().expect("a text")).collect()
    }

    fn list(&self, name: &str) -> &[Value] {
        self.0[name].as_array().unwrap_or_else(|| panic!("{name} is {}", self.0[name]))
    }
}
