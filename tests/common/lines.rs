//! Reads the lines of the reference encodings: flat JSON objects of texts, numbers in lists and texts in lists.

/// One line: its names and values in order.
pub struct Line(Vec<(String, Value)>);

#[derive(Debug, PartialEq)]
pub enum Value {
    Text(String),
    Numbers(Vec<u32>),
    Texts(Vec<String>),
}

/// All lines of a file with this content.
pub fn read(content: &str) -> Vec<Line> {
    content.lines().map(|line| Reader(line).line()).collect()
}

#[allow(dead_code, reason = "each program that includes this file asks for other fields")]
impl Line {
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Value::Text(text) => text,
            other => panic!("{name} is {other:?}"),
        }
    }

    pub fn numbers(&self, name: &str) -> &[u32] {
        match self.get(name) {
            Value::Numbers(numbers) => numbers,
            other => panic!("{name} is {other:?}"),
        }
    }

    pub fn texts(&self, name: &str) -> &[String] {
        match self.get(name) {
            Value::Texts(texts) => texts,
            Value::Numbers(none) if none.is_empty() => &[],
            other => panic!("{name} is {other:?}"),
        }
    }

    fn get(&self, name: &str) -> &Value {
        let found = self.0.iter().find(|(key, _)| key == name);
        &found.unwrap_or_else(|| panic!("no field {name}")).1
    }
}

struct Reader<'a>(&'a str);

impl Reader<'_> {
    fn line(&mut self) -> Line {
        let mut fields = Vec::new();
        self.expect("{");
        loop {
            let name = self.string();
            self.expect(":");
            let value = if self.skip("[") { self.list() } else { Value::Text(self.string()) };
            fields.push((name, value));
            if !self.skip(",") {
                break;
            }
        }
        self.expect("}");
        Line(fields)
    }

    fn list(&mut self) -> Value {
        let mut numbers = Vec::new();
        let mut texts = Vec::new();
        while !self.skip("]") {
            self.0 = self.0.trim_start();
            if self.0.starts_with('"') {
                texts.push(self.string());
            } else {
                let end = self.0.find([',', ']']).expect("a list that ends");
                numbers.push(self.0[..end].trim().parse().expect("a number"));
                self.0 = &self.0[end..];
            }
            self.skip(",");
        }
        if texts.is_empty() { Value::Numbers(numbers) } else { Value::Texts(texts) }
    }

    fn string(&mut self) -> String {
        self.expect("\"");
        let mut text = String::new();
        loop {
            match self.character() {
                '"' => return text,
                '\\' => text.push(match self.character() {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'u' => {
                        let code = u32::from_str_radix(&self.0[..4], 16).expect("four hex digits");
                        self.0 = &self.0[4..];
                        char::from_u32(code).expect("no surrogate: other planes are written as they are")
                    }
                    other => other,
                }),
                other => text.push(other),
            }
        }
    }

    fn character(&mut self) -> char {
        let mut characters = self.0.chars();
        let character = characters.next().expect("a line that ends");
        self.0 = characters.as_str();
        character
    }

    fn skip(&mut self, token: &str) -> bool {
        let rest = self.0.trim_start().strip_prefix(token);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) {
        assert!(self.skip(token), "expected {token} before {}", self.0);
    }
}
