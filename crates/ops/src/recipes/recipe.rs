//! A recipe: a question in SQL with a name, parameters and documentation.
//!
//! It is one file. The comment at its head says what it finds, in one line, then what that means, then
//! what it cannot see (a paragraph that begins with `Limits:`); lines that begin with `@` are for the
//! program.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use store::sandbox;

/// Where a recipe comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Part of the program.
    Bundled,
    /// From `.groma/recipes` of the project.
    Project,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Note,
    #[default]
    Warning,
    Error,
}

/// How sure it is that a row is what the recipe says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    Certain,
    Candidate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    String,
    Number,
    Integer,
    Boolean,
}

/// What a recipe can be asked with.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Parameter {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: Type,
    /// None if a value must be given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    pub required: bool,
    pub description: String,
}

/// What to do about a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Action {
    #[serde(rename = "type")]
    pub id: String,
    pub description: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Recipe {
    pub id: String,
    pub origin: Origin,
    /// Whether it stands in the place of a bundled one.
    pub shadows: bool,
    pub summary: String,
    /// What it means, without the limits.
    pub description: String,
    pub limits: String,
    pub level: Level,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<Certainty>,
    pub params: Vec<Parameter>,
    pub actions: Vec<Action>,
    pub tags: Vec<String>,
    pub sql: String,
}

/// Why a file is no recipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Invalid {
    pub(crate) reason: String,
    /// Whether it would do something else than reading.
    pub(crate) writes: bool,
}

impl Invalid {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), writes: false }
    }
}

/// Descriptions in the catalogue are cut here: they may come with a repository.
const LONGEST_TEXT: usize = 4000;

impl Recipe {
    /// Reads a file.
    pub(crate) fn read(id: &str, text: &str, origin: Origin) -> Result<Self, Invalid> {
        check_id(id)?;
        check_sql(text)?;
        let mut recipe = Self {
            id: id.to_owned(),
            origin,
            shadows: false,
            summary: String::new(),
            description: String::new(),
            limits: String::new(),
            level: Level::default(),
            certainty: None,
            params: Vec::new(),
            actions: Vec::new(),
            tags: Vec::new(),
            sql: text.trim().to_owned(),
        };
        let head = text.lines().map(str::trim).map_while(|line| line.strip_prefix("--"));
        let mut paragraphs: Vec<Vec<&str>> = vec![Vec::new()];
        for line in head.map(str::trim) {
            if let Some(directive) = line.strip_prefix('@') {
                recipe.directive(directive)?;
                paragraphs.push(Vec::new());
            } else if line.is_empty() {
                paragraphs.push(Vec::new());
            } else if let Some(last) = paragraphs.last_mut() {
                last.push(line);
            }
        }
        let texts =
            paragraphs.iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join(" "));
        for (at, text) in texts.enumerate() {
            let text = crate::budget::shortened(&text, LONGEST_TEXT);
            match (at, text.strip_prefix("Limits:")) {
                (0, _) => recipe.summary = text,
                (_, Some(limits)) => recipe.limits = limits.trim().to_owned(),
                _ => {
                    let gap = if recipe.description.is_empty() { "" } else { "\n\n" };
                    recipe.description += &format!("{gap}{text}");
                }
            }
        }
        Ok(recipe)
    }

    fn directive(&mut self, line: &str) -> Result<(), Invalid> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let unknown =
            |legal: &str| Err(Invalid::new(format!("`@{word} {rest}`: legal are {legal}")));
        match word {
            "level" => match rest {
                "note" => self.level = Level::Note,
                "warning" => self.level = Level::Warning,
                "error" => self.level = Level::Error,
                _ => return unknown("note, warning and error"),
            },
            "certainty" => match rest {
                "certain" => self.certainty = Some(Certainty::Certain),
                "candidate" => self.certainty = Some(Certainty::Candidate),
                _ => return unknown("certain and candidate"),
            },
            "param" => self.params.push(parameter(rest)?),
            "action" => {
                let (id, description) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                let description = description.trim().to_owned();
                self.actions.push(Action { id: id.to_owned(), description });
            }
            "tags" => self.tags.extend(rest.split_whitespace().map(str::to_owned)),
            _ => return unknown("@level, @certainty, @param, @action and @tags"),
        }
        Ok(())
    }

    /// Values for all parameters, checked, before any of them meets SQL.
    pub(crate) fn values(&self, given: &[(String, Value)]) -> Result<Vec<(String, Value)>, String> {
        for (at, (name, _)) in given.iter().enumerate() {
            if !self.params.iter().any(|parameter| parameter.name == *name) {
                let known: Vec<&str> =
                    self.params.iter().map(|parameter| parameter.name.as_str()).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(format!("`{}` has no parameter `{name}`; it has {known}", self.id));
            }
            if given.iter().skip(at + 1).any(|(other, _)| other == name) {
                return Err(format!("the parameter `{name}` is given twice"));
            }
        }
        let value = |parameter: &Parameter| {
            let name = &parameter.name;
            let given = given.iter().find(|(known, _)| known == name).map(|(_, value)| value);
            match (given, &parameter.default) {
                (Some(value), _) => {
                    let read = parameter.kind.read(value);
                    let kind = parameter.kind.word();
                    read.ok_or_else(|| {
                        format!("the parameter `{name}` of `{}` is no {kind}", self.id)
                    })
                }
                (None, Some(default)) => Ok(default.clone()),
                (None, None) => Err(format!("`{}` needs the parameter `{name}`", self.id)),
            }
        };
        self.params
            .iter()
            .map(|parameter| Ok((parameter.name.clone(), value(parameter)?)))
            .collect()
    }
}

impl Type {
    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "string" => Some(Self::String),
            "number" => Some(Self::Number),
            "integer" => Some(Self::Integer),
            "boolean" => Some(Self::Boolean),
            _ => None,
        }
    }

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
        }
    }

    /// A value of this type, from one as it was given: text from a command line, JSON from elsewhere.
    pub(crate) fn read(self, value: &Value) -> Option<Value> {
        const LONGEST: usize = 10_000;
        match (self, value) {
            (Self::String, Value::String(text)) => {
                (text.len() <= LONGEST && !text.contains('\0')).then(|| value.clone())
            }
            (Self::String, Value::Number(number)) => Some(number.to_string().into()),
            (Self::Boolean, Value::Bool(_)) => Some(value.clone()),
            (Self::Boolean, Value::String(text)) => match text.as_str() {
                "true" | "1" => Some(true.into()),
                "false" | "0" => Some(false.into()),
                _ => None,
            },
            (Self::Integer, Value::Number(number)) => number.as_i64().map(Value::from),
            (Self::Integer, Value::String(text)) => {
                text.trim().parse::<i64>().ok().map(Value::from)
            }
            (Self::Number, Value::Number(_)) => Some(value.clone()),
            (Self::Number, Value::String(text)) => {
                let text = text.trim();
                let whole = text.parse::<i64>().ok().map(Value::from);
                let number = || text.parse::<f64>().ok().filter(|number| number.is_finite());
                whole.or_else(|| number().map(Value::from))
            }
            _ => None,
        }
    }
}

/// `name type default description`.
fn parameter(line: &str) -> Result<Parameter, Invalid> {
    let mut words = line.splitn(4, char::is_whitespace).map(str::trim);
    let (name, kind) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let (default, description) = (words.next().unwrap_or("-"), words.next().unwrap_or(""));
    let kind = Type::parse(kind).ok_or_else(|| {
        Invalid::new(format!("`@param {line}`: types are string, number, integer and boolean"))
    })?;
    new_parameter(name, kind, Some(default).filter(|word| *word != "-"), description)
}

pub(crate) fn new_parameter(
    name: &str,
    kind: Type,
    default: Option<&str>,
    description: &str,
) -> Result<Parameter, Invalid> {
    let is_name = !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_name {
        return Err(Invalid::new(format!("`{name}` is no name for a parameter")));
    }
    // An empty text is written as two quotes.
    let text = default.map(|text| text.trim_matches(['"', '\'']));
    let default = match text {
        None => None,
        Some(text) => Some(kind.read(&Value::from(text)).ok_or_else(|| {
            Invalid::new(format!("the default `{text}` of `{name}` is no {}", kind.word()))
        })?),
    };
    let description = crate::budget::shortened(description, 500);
    Ok(Parameter { name: name.to_owned(), kind, required: default.is_none(), default, description })
}

/// Ids are names of files on every system, and of rules in reports.
fn check_id(id: &str) -> Result<(), Invalid> {
    let is_id = !id.is_empty()
        && id.len() <= 64
        && id
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && !id.starts_with('-');
    let device = |name: &str| id.strip_prefix(name).is_some_and(|rest| rest.len() == 1);
    let is_device = matches!(id, "con" | "prn" | "aux" | "nul") || device("com") || device("lpt");
    if is_id && !is_device {
        return Ok(());
    }
    Err(Invalid::new("its name is no id: 1 to 64 of a-z, 0-9 and `-`"))
}

const FORBIDDEN: &[&str] = &[
    "INSERT",
    "UPDATE",
    "DELETE",
    "DROP",
    "CREATE",
    "ALTER",
    "ATTACH",
    "DETACH",
    "REPLACE",
    "TRUNCATE",
    "VACUUM",
    "PRAGMA",
    "REINDEX",
    "ANALYZE",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT",
    "RELEASE",
    "EXPLAIN",
];

/// Refuses what is not one statement that reads. The sandbox refuses it too; here it gets a name.
fn check_sql(text: &str) -> Result<(), Invalid> {
    const LARGEST: usize = 256 << 10;
    if text.len() > LARGEST {
        return Err(Invalid::new("it has more than 256 KiB"));
    }
    if text.contains('\0') {
        return Err(Invalid::new("it has a NUL character"));
    }
    let statement = match sandbox::statements(text).as_slice() {
        [] => return Err(Invalid::new("it has no SQL")),
        [one] => *one,
        _ => {
            let reason = "it has more than one statement".to_owned();
            return Err(Invalid { reason, writes: true });
        }
    };
    let words = sandbox::words(text);
    // `replace(…)` is a function.
    let forbidden = words.iter().find(|word| {
        let upper = word.text.to_ascii_uppercase();
        FORBIDDEN.contains(&upper.as_str()) && !(upper == "REPLACE" && word.is_called)
    });
    let refuse = |word: &str| {
        let word = crate::budget::shortened(word, 40);
        Err(Invalid {
            reason: format!("`{word}` is not for recipes: they only read"),
            writes: true,
        })
    };
    if let Some(word) = forbidden {
        return refuse(&word.text.to_ascii_uppercase());
    }
    // It begins with the word itself, not with a sign that looks like nothing.
    let first = words.first().map_or("", |word| word.text);
    let reads = ["SELECT", "WITH", "VALUES"].iter().any(|known| first.eq_ignore_ascii_case(known));
    if reads && statement.starts_with(first) { Ok(()) } else { refuse(first) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Certainty, Level, Origin, Recipe, Type};

    const TEXT: &str = "\
-- Functions that decide too much.
--
-- They are hard to test.
-- Split them.
--
-- Worst first.
--
-- Limits: macros are
-- not expanded.
--
-- @level error
-- @certainty candidate
-- @param min integer 10 Least complexity to report
-- @param name string - Only this one
-- @param ratio number 0.5 A share
-- @param all boolean false Tests too
-- @action split Make two of it.
-- @tags complexity size
SELECT replace(name, 'a', 'b') AS \"drop\" -- update
FROM symbols WHERE complexity >= :min AND name = :name;
";

    fn read(text: &str) -> Result<Recipe, super::Invalid> {
        Recipe::read("complex", text, Origin::Project)
    }

    #[test]
    fn the_comment_at_the_head_is_the_documentation() {
        let recipe = read(TEXT).expect("it is a recipe");
        assert_eq!(recipe.summary, "Functions that decide too much.");
        assert_eq!(recipe.description, "They are hard to test. Split them.\n\nWorst first.");
        assert_eq!(recipe.limits, "macros are not expanded.");
        assert_eq!((recipe.level, recipe.certainty), (Level::Error, Some(Certainty::Candidate)));
        assert_eq!(recipe.tags, ["complexity", "size"]);
        assert_eq!(recipe.actions[0].id, "split");
        assert_eq!(recipe.actions[0].description, "Make two of it.");
        assert_eq!(recipe.params[0].default, Some(json!(10)));
        assert!(recipe.params[1].required && recipe.params[1].default.is_none());
        assert_eq!(recipe.params[2].default, Some(json!(0.5)));
        assert_eq!(recipe.params[3].kind, Type::Boolean);
    }

    #[test]
    fn cm_51_recipes_that_do_not_only_read_are_rejected() {
        for (sql, why) in [
            ("", "no SQL"),
            ("-- only a comment", "no SQL"),
            ("DELETE FROM file", "DELETE"),
            ("SELECT 1; DROP TABLE file", "more than one"),
            ("WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x", "INSERT"),
            ("ATTACH 'x' AS y", "ATTACH"),
            ("/* a */ PRAGMA user_version", "PRAGMA"),
            ("EXPLAIN SELECT 1", "EXPLAIN"),
            ("SELECT 1 /* */ ; /* */ VACUUM", "more than one"),
            ("REPLACE INTO t VALUES (1)", "REPLACE"),
            ("\u{b}SELECT 1", "only read"),
            ("-- @level loud\nSELECT 1", "note, warning and error"),
            ("-- @param 1x what\nSELECT 1", "types are"),
            ("-- @param n integer x Number\nSELECT 1", "no integer"),
        ] {
            let invalid = read(sql).expect_err(sql);
            assert!(invalid.reason.contains(why), "{sql}: {invalid:?}");
        }
        assert!(read("SELECT 'DROP', replace('a', 'b', 'c'), \"update\" FROM t").is_ok());
    }

    #[test]
    fn ids_are_names_of_files_everywhere() {
        let long = "a".repeat(300);
        for id in ["../../x", "con", "com1", &long, "аdmin", "A", "a.b", "", "-a", "a b"] {
            assert!(Recipe::read(id, "SELECT 1", Origin::Project).is_err(), "{id}");
        }
        assert!(Recipe::read("find-2-cons", "SELECT 1", Origin::Project).is_ok());
    }

    #[test]
    fn cm_52_values_are_checked_before_sql_sees_them() {
        let recipe = read(TEXT).expect("it is a recipe");
        let given = |pairs: &[(&str, Value)]| {
            let pairs: Vec<(String, Value)> =
                pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            recipe.values(&pairs)
        };
        let values = given(&[("name", json!("f")), ("min", json!("3"))]).expect("they are right");
        let named =
            |name: &str| values.iter().find(|(known, _)| known == name).map(|(_, v)| v.clone());
        assert_eq!(named("min"), Some(json!(3)));
        assert_eq!(named("ratio"), Some(json!(0.5)));
        for (pairs, why) in [
            (&[][..], "needs the parameter `name`"),
            (&[("name", json!("f")), ("nme", json!(1))], "no parameter `nme`"),
            (&[("name", json!("f")), ("min", json!("x"))], "no integer"),
            (&[("name", json!("f")), ("min", json!(1.5))], "no integer"),
            (&[("name", json!("f")), ("all", json!("perhaps"))], "no boolean"),
            (&[("name", json!("f")), ("ratio", json!("NaN"))], "no number"),
            (&[("name", json!("f")), ("name", json!("g"))], "twice"),
            (&[("name", json!(["f"]))], "no string"),
        ] {
            let error = given(pairs).expect_err(why);
            assert!(error.contains(why), "{error}");
        }
    }
}
