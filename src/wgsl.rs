//! Shader sources without comments and indentation, stripped at compile time: both are for readers of `shaders/`, and would
//! otherwise be sent to every visitor and into every compiler call.

/// The text of a file in `shaders/`, stripped.
macro_rules! shader {
    ($file:expr) => {{
        const SOURCE: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $file));
        const STRIPPED: [u8; $crate::wgsl::stripped_length(SOURCE)] = $crate::wgsl::stripped(SOURCE);
        const TEXT: &str = match core::str::from_utf8(&STRIPPED) {
            Ok(text) => text,
            Err(_) => panic!("a shader is UTF-8"), // while compiling
        };
        TEXT
    }};
}
pub(crate) use shader;

/// Length of [`stripped`].
pub(crate) const fn stripped_length(source: &[u8]) -> usize {
    let (mut at, mut length) = (0, 0);
    while at < source.len() {
        let (from, to, next) = line(source, at);
        if from < to {
            length += to - from + 1;
        }
        at = next;
    }
    length
}

/// Every line that has code, without `//` comments and outer spaces, and a newline behind it. (The shaders have no block
/// comments, which a test makes sure of, and WGSL has no strings.)
pub(crate) const fn stripped<const LENGTH: usize>(source: &[u8]) -> [u8; LENGTH] {
    let mut text = [b'\n'; LENGTH];
    let (mut at, mut length) = (0, 0);
    while at < source.len() {
        let (mut from, to, next) = line(source, at);
        if from < to {
            while from < to {
                text[length] = source[from];
                length += 1;
                from += 1;
            }
            length += 1;
        }
        at = next;
    }
    text
}

/// Where the code of the line at `at` starts and ends, and where the next line starts.
const fn line(source: &[u8], at: usize) -> (usize, usize, usize) {
    let mut from = at;
    while from < source.len() && source[from] == b' ' {
        from += 1;
    }
    let mut next = from;
    while next < source.len() && source[next] != b'\n' {
        next += 1;
    }
    let mut to = from;
    while to < next && !(source[to] == b'/' && to + 1 < next && source[to + 1] == b'/') {
        to += 1;
    }
    while to > from && matches!(source[to - 1], b' ' | b'\r') {
        to -= 1;
    }
    (from, to, next + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stays_and_comments_go() {
        const SOURCE: &[u8] = b"// head\n\nfn f() { // why\n    let a = 4 / 2;  \n}";
        let text: [u8; stripped_length(SOURCE)] = stripped(SOURCE);
        assert_eq!(core::str::from_utf8(&text).unwrap(), "fn f() {\nlet a = 4 / 2;\n}\n");
    }

    #[test]
    fn the_shaders_have_line_comments_only() {
        let shaders = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
        let files = [shaders.clone(), shaders.join("common")].map(|folder| std::fs::read_dir(folder).unwrap());
        for path in files.into_iter().flatten().map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
            let source = std::fs::read_to_string(&path).unwrap();
            assert!(!source.contains("/*") && !source.contains('\t'), "{}", path.display());
        }
    }
}
