//! The text of a script, cut into steps. Knows the shape of the notation, no verb of it.

use serde_json::Value;

/// One step as it was written: a verb, what stands behind it, options, fields set and fields dropped.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Place in the script, from 1.
    place: usize,
    /// The step as written.
    pub(super) source: String,
    /// The first word.
    pub(super) verb: String,
    args: Vec<Arg>,
    options: Vec<(String, Value)>,
    /// `+key=value`: fields to set in the frame, as they are; a key may be a path (`patch.status`).
    pub(super) sets: Vec<(String, Value)>,
    /// `-key`: fields to leave out of the frame.
    pub(super) drops: Vec<String>,
}

/// What may stand behind a verb without a key.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Arg {
    /// `{…}` or `[…]`.
    Json(Value),
    /// `"…"`.
    Text(String),
    /// A bare word.
    Word(String),
}

/// Cuts a script into its steps.
pub(super) fn parse(script: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut reader = Reader { script, at: 0 };
    while let Some(step) = reader.step(steps.len() + 1) {
        steps.push(step);
    }
    steps
}

impl Step {
    /// Ends the test: the step cannot be what its author meant.
    pub(super) fn fail(&self, why: &str) -> ! {
        panic!("script step {} `{}`: {why}", self.place, self.source)
    }

    /// Takes the bare word `name`, wherever it stands among the words.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        let found = self.args.iter().position(|arg| matches!(arg, Arg::Word(word) if word == name));
        found.map(|at| self.args.remove(at)).is_some()
    }

    /// Takes the next bare word; `_` is the blank id.
    pub(super) fn word(&mut self) -> Option<String> {
        let at = self.args.iter().position(|arg| matches!(arg, Arg::Word(_)))?;
        match self.args.remove(at) {
            Arg::Word(word) if word == "_" => Some(String::new()),
            Arg::Word(word) => Some(word),
            Arg::Json(_) | Arg::Text(_) => None,
        }
    }

    /// Takes the next bare word, which must be there.
    pub(super) fn id(&mut self) -> String {
        self.word().unwrap_or_else(|| self.fail("an id is missing"))
    }

    /// Takes the next bare word if it is a number.
    pub(super) fn number(&mut self) -> Option<i64> {
        let number = self.args.iter().find_map(|arg| match arg {
            Arg::Word(word) => Some(word.parse::<i64>().ok()),
            Arg::Json(_) | Arg::Text(_) => None,
        })??;
        self.word();
        Some(number)
    }

    /// Takes every quoted text.
    pub(super) fn texts(&mut self) -> Vec<String> {
        let taken = self.args.extract_if(.., |arg| matches!(arg, Arg::Text(_)));
        taken.filter_map(|arg| if let Arg::Text(text) = arg { Some(text) } else { None }).collect()
    }

    /// Takes the next word or JSON value, in the order written.
    pub(super) fn entry(&mut self) -> Option<Arg> {
        let at = self.args.iter().position(|arg| matches!(arg, Arg::Word(_) | Arg::Json(_)))?;
        Some(self.args.remove(at))
    }

    /// Takes the option `key`, whatever its value.
    pub(super) fn option(&mut self, key: &str) -> Option<Value> {
        let at = self.options.iter().position(|(name, _)| name == key)?;
        Some(self.options.remove(at).1)
    }

    /// Takes the option `key` as a text; `_` is the blank one.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        let value = self.option(key)?;
        Some(value.as_str().map_or_else(|| value.to_string(), unblank))
    }

    /// Takes the option `key` as a whole number.
    pub(super) fn int(&mut self, key: &str) -> Option<i64> {
        let text = self.text(key)?;
        Some(text.parse().unwrap_or_else(|_| self.fail(&format!("`{key}` is no whole number"))))
    }

    /// Takes the option `key` as `true` or `false`; the bare word `key` is `true`.
    pub(super) fn truth(&mut self, key: &str) -> Option<bool> {
        if self.flag(key) {
            return Some(true);
        }
        let text = self.text(key)?;
        Some(text.parse().unwrap_or_else(|_| self.fail(&format!("`{key}` is neither true nor false"))))
    }

    /// Ends the test if anything of the step was not understood.
    pub(super) fn done(&self) {
        if let Some(arg) = self.args.first() {
            self.fail(&format!("nobody reads {arg:?}"));
        }
        if let Some((key, _)) = self.options.first() {
            self.fail(&format!("nobody reads the option `{key}`"));
        }
    }
}

/// Splits `head` and `tail` at the first `mark`: `x<a`, `t→a`, `t@r2`.
pub(super) fn split(word: &str, marks: &[&str]) -> (String, Option<String>) {
    for mark in marks {
        if let Some((head, tail)) = word.split_once(mark) {
            return (unblank(head), Some(unblank(tail)));
        }
    }
    (unblank(word), None)
}

fn unblank(word: &str) -> String {
    if word == "_" { String::new() } else { word.to_owned() }
}

/// Walks over the script. `at` always stands on a character boundary.
struct Reader<'a> {
    script: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn step(&mut self, place: usize) -> Option<Step> {
        self.skip(|c| c.is_whitespace() || c == ',');
        while self.peek() == Some('#') {
            self.skip(|c| c != '\n');
            self.skip(|c| c.is_whitespace() || c == ',');
        }
        self.peek()?;
        let start = self.at;
        let verb = self.bare();
        let mut step = Step {
            place,
            source: verb.clone(),
            verb,
            args: Vec::new(),
            options: Vec::new(),
            sets: Vec::new(),
            drops: Vec::new(),
        };
        loop {
            self.skip(|c| c == ' ' || c == '\t');
            match self.peek() {
                None | Some(',' | '\n') => break,
                Some(_) => self.part(&mut step),
            }
            self.script[start..self.at].clone_into(&mut step.source);
        }
        Some(step)
    }

    fn part(&mut self, step: &mut Step) {
        match self.peek() {
            Some('"') => {
                let text = self.quoted(step);
                step.args.push(Arg::Text(text));
            }
            Some('{' | '[') => {
                let value = self.json(step);
                step.args.push(Arg::Json(value));
            }
            Some('+') => {
                self.at += 1;
                let key = self.key();
                let value = self.raw_value(step);
                step.sets.push((key, value));
            }
            Some('-') if self.script[self.at + 1..].starts_with(char::is_alphabetic) => {
                self.at += 1;
                let key = self.bare();
                step.drops.push(key);
            }
            Some(_) | None => {
                let start = self.at;
                let key = self.key();
                if self.script[..self.at].ends_with('=') {
                    let value = self.value(step);
                    step.options.push((key, value));
                } else {
                    self.at = start;
                    let word = self.bare();
                    step.args.push(Arg::Word(word));
                }
            }
        }
    }

    /// A bare value of a set field is JSON where it reads as such, else a text.
    fn raw_value(&mut self, step: &Step) -> Value {
        match self.peek() {
            Some('"' | '{' | '[') => self.json(step),
            Some(_) | None => {
                let word = self.bare();
                serde_json::from_str(&word).unwrap_or(Value::String(word))
            }
        }
    }

    /// A bare value of an option is a text.
    fn value(&mut self, step: &Step) -> Value {
        match self.peek() {
            Some('"') => Value::String(self.quoted(step)),
            Some('{' | '[') => self.json(step),
            Some(_) | None => Value::String(self.bare()),
        }
    }

    /// The letters up to and with `=`; without `=` nothing that the caller keeps.
    fn key(&mut self) -> String {
        let start = self.at;
        self.skip(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        let key = self.script[start..self.at].to_owned();
        if self.peek() == Some('=') {
            self.at += 1;
        }
        key
    }

    fn bare(&mut self) -> String {
        let start = self.at;
        self.skip(|c| !c.is_whitespace() && c != ',');
        self.script[start..self.at].to_owned()
    }

    /// A quoted text is a JSON string, so that every character can be written.
    fn quoted(&mut self, step: &Step) -> String {
        let value = self.json(step);
        value.as_str().map_or_else(|| step.fail(&format!("{value} is no text")), str::to_owned)
    }

    fn json(&mut self, step: &Step) -> Value {
        let mut stream = serde_json::Deserializer::from_str(&self.script[self.at..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                self.at += stream.byte_offset();
                value
            }
            Some(Err(error)) => step.fail(&format!("bad JSON: {error}")),
            None => step.fail("JSON is missing"),
        }
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = &self.script[self.at..];
        self.at += rest.find(|c| !wanted(c)).unwrap_or(rest.len());
    }

    fn peek(&self) -> Option<char> {
        self.script[self.at..].chars().next()
    }
}
