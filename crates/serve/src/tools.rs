//! Operations as tools.
//!
//! Few tools are listed, because their descriptions are paid for in every conversation: five that say
//! little and can do all. What they list of their arguments is a choice; what they take is all that the
//! operation takes. With `--tools`, operations are listed one by one, with all of their arguments.

use std::borrow::Cow;
use std::sync::Arc;

use ops::{Argument, Effect, Entry, Error, Format, Kind, Shape};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::desk::{Common, Question};

/// Tokens of an answer, unless the call or the configuration of the project says another number.
const DEFAULT_TOKENS: usize = 4000;

/// Which tools are listed, and what they say of their answers.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ToolOptions {
    /// Tools to list: `all`, or names with commas between them [default: search, show, trace, context, query]
    #[arg(long, value_name = "NAMES")]
    pub tools: Option<String>,
    /// Tools say what their answers look like, and every answer comes as structured content too
    #[arg(long)]
    pub structured: bool,
}

/// A tool that says less than the operations behind it can do.
struct Face {
    name: &'static str,
    about: &'static str,
    /// One operation, or several of which `step` chooses one.
    operations: &'static [&'static str],
    /// Arguments of the first operation that are listed.
    listed: &'static [&'static str],
}

const FACES: &[Face] = &[
    Face {
        name: "search",
        about: "Find symbols, files and text by a name, words or a sentence; best first",
        operations: &["search"],
        listed: &["query", "regex", "path", "limit"],
    },
    Face {
        name: "show",
        about: "Explain a symbol: signature, docs, members, callers, callees, tests; with source, its code",
        operations: &["show"],
        listed: &["symbol", "source"],
    },
    Face {
        name: TRACE,
        about: "Follow links of the code from a symbol or file; see a file (outline) or all (overview)",
        operations: &[
            "callers",
            "callees",
            "references",
            "hierarchy",
            "path",
            "impact",
            "changes",
            "affected",
            "outline",
            "overview",
        ],
        listed: &[],
    },
    Face {
        name: "context",
        about: "Gather the code that matters for a task",
        operations: &["context"],
        listed: &["task"],
    },
    Face {
        name: "query",
        about: "Ask in read-only SQL, or by a recipe",
        operations: &["query"],
        listed: &["sql", "recipe", "params"],
    },
];

const TRACE: &str = "trace";
const STEP: &str = "step";
const TARGET: &str = "target";
const TO: &str = "to";
const DEPTH: &str = "depth";

/// The tools of a server, each once.
pub(crate) struct Tools {
    all: Vec<Offered>,
    list: Vec<Tool>,
    /// Every answer is JSON with readable keys, and structured content.
    structured: bool,
}

struct Offered {
    name: String,
    operations: Vec<&'static Entry>,
}

impl Tools {
    /// The five, all operations, or those that are named with commas between them.
    pub(crate) fn new(options: &ToolOptions, allow_write: bool) -> Result<Self, Error> {
        let wanted = options.tools.as_deref();
        let names: Vec<String> = match wanted.map(str::trim) {
            None | Some("" | "default") => FACES.iter().map(|face| face.name.to_owned()).collect(),
            Some("all") => {
                let offered = ops::catalogue().iter().filter(|it| it.effect != Effect::Endures);
                offered.map(Entry::snake_name).chain([TRACE.to_owned()]).collect()
            }
            Some(list) => list.split(',').map(|name| name.trim().replace('-', "_")).collect(),
        };
        let in_full = wanted.is_some();
        let structured = options.structured;
        let mut this = Self { all: Vec::new(), list: Vec::new(), structured };
        for name in names {
            this.add(&name, in_full, allow_write)?;
        }
        Ok(this)
    }

    fn add(&mut self, name: &str, in_full: bool, allow_write: bool) -> Result<(), Error> {
        if self.all.iter().any(|offered| offered.name == name) {
            return Ok(());
        }
        let face = FACES.iter().find(|face| face.name == name);
        let (operations, tool) = match (face, Entry::named(name)) {
            (Some(face), _) if !in_full || face.operations.len() > 1 => face.tool(),
            (_, Some(entry)) if entry.effect != Effect::Endures => {
                let schema = schema(&entry.all_arguments());
                (vec![entry], Tool::new(entry.snake_name(), entry.about.clone(), schema))
            }
            _ => {
                let known: Vec<String> = ops::catalogue().iter().map(Entry::snake_name).collect();
                return Err(Error::new(Kind::Usage, format!("there is no tool `{name}`"))
                    .hint(format!("There are {}, {TRACE}.", known.join(", "))));
            }
        };
        let mut tool = tool.with_annotations(annotations(&operations, allow_write));
        if self.structured {
            tool.output_schema = Some(Arc::new(answers(&operations)));
        }
        self.list.push(tool);
        self.all.push(Offered { name: name.to_owned(), operations });
        Ok(())
    }

    pub(crate) fn list(&self) -> &[Tool] {
        &self.list
    }

    /// What a call asks; none if there is no such tool.
    pub(crate) fn question(
        &self,
        name: &str,
        mut arguments: Map<String, Value>,
    ) -> Option<Result<Question, Error>> {
        let offered = self.all.iter().find(|offered| offered.name == name)?;
        let question = || {
            let common = Common::take(&mut arguments)?;
            let entry = match offered.operations.as_slice() {
                [only] => only,
                several => step(several, &mut arguments)?,
            };
            Ok(Question {
                entry,
                format: match common.json || self.structured {
                    true => Format::Json,
                    false => Format::Compact,
                },
                common,
                input: arguments,
                default_tokens: Some(DEFAULT_TOKENS),
            })
        };
        Some(question())
    }
}

/// The tools that are listed without another word, as clients get them.
pub fn listed() -> Value {
    let tools = Tools::new(&ToolOptions::default(), false);
    tools.map(|tools| json!(tools.list())).unwrap_or_default()
}

impl Face {
    fn tool(&self) -> (Vec<&'static Entry>, Tool) {
        let operations: Vec<&'static Entry> =
            self.operations.iter().filter_map(|name| Entry::named(name)).collect();
        let arguments = match operations.as_slice() {
            [only] => {
                let listed = |argument: &Argument| self.listed.contains(&argument.name.as_str());
                only.arguments.iter().filter(|it| listed(it)).cloned().collect()
            }
            several => trace_arguments(several),
        };
        let tool =
            Tool::new(Cow::Borrowed(self.name), Cow::Borrowed(self.about), schema(&arguments));
        (operations, tool)
    }
}

/// What the steps have in common: a place to start at, one to end at, and how far to go.
fn trace_arguments(steps: &[&'static Entry]) -> Vec<Argument> {
    let argument = |name: &str, help: &str, shape: Shape, is_required: bool| Argument {
        name: name.to_owned(),
        help: help.to_owned(),
        shape,
        is_list: false,
        is_required,
        is_positional: false,
    };
    let names = steps.iter().map(|entry| entry.snake_name()).collect();
    let takes_depth = |entry: &Entry| entry.arguments.iter().any(|it| it.name == DEPTH);
    let deep = steps.iter().filter(|entry| takes_depth(entry)).map(|entry| entry.snake_name());
    let deep = format!("Of {}", deep.collect::<Vec<String>>().join(", "));
    vec![
        argument(STEP, "", Shape::Choice(names), true),
        argument(
            TARGET,
            "Symbol; for impact also a file; for outline, files; for affected and changes, files or a git range",
            Shape::Text,
            false,
        ),
        argument(TO, "Where a path ends", Shape::Text, false),
        argument(DEPTH, &deep, Shape::Whole, false),
    ]
}

/// The operation that `step` names; `target` and `to` become what it takes without a name.
fn step(
    several: &[&'static Entry],
    arguments: &mut Map<String, Value>,
) -> Result<&'static Entry, Error> {
    let names: Vec<String> = several.iter().map(|entry| entry.snake_name()).collect();
    let wrong =
        || Error::new(Kind::Usage, format!("arguments: `{STEP}` is one of {}", names.join(", ")));
    let Some(Value::String(name)) = arguments.remove(STEP) else { return Err(wrong()) };
    let entry = several.iter().find(|entry| entry.snake_name() == name).ok_or_else(wrong)?;
    let mut places = entry.arguments.iter().filter(|argument| argument.is_positional);
    for given in [TARGET, TO] {
        let Some(place) = places.next() else { break };
        match arguments.remove(given) {
            None | Some(Value::Null)
                if place.is_required && !arguments.contains_key(&place.name) =>
            {
                return Err(Error::new(Kind::Usage, format!("`{name}` needs `{given}`"))
                    .hint(place.help.clone()));
            }
            None | Some(Value::Null) => {}
            // Several files in one text, as they would stand on a command line.
            Some(Value::String(text)) if place.is_list => {
                let several: Vec<Value> = text.split_whitespace().map(Value::from).collect();
                arguments.insert(place.name.clone(), several.into());
            }
            Some(value) => {
                arguments.insert(place.name.clone(), value);
            }
        }
    }
    Ok(entry)
}

/// JSON Schema as the strictest clients take it: no unions, no formats, no references.
pub(crate) fn schema(arguments: &[Argument]) -> Arc<JsonObject> {
    let mut properties = own_properties(arguments);
    for (name, kind) in [
        ("root", "string"),
        ("max_tokens", "integer"),
        ("offset", "integer"),
        ("json", "boolean"),
        ("again", "boolean"),
        ("fresh", "boolean"),
    ] {
        properties.insert(name.to_owned(), json!({"type": kind}));
    }
    let required: Vec<&str> =
        arguments.iter().filter(|it| it.is_required).map(|it| it.name.as_str()).collect();
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    Arc::new(schema)
}

/// What a tool answers; where it depends on the step, only that it is an object.
fn answers(operations: &[&'static Entry]) -> JsonObject {
    match operations {
        [only] => ops::plain_schema(&only.answer_schema()),
        _ => ops::plain_schema(&json!({})),
    }
}

pub(crate) fn own_properties(arguments: &[Argument]) -> Map<String, Value> {
    arguments.iter().map(|argument| (argument.name.clone(), property(argument))).collect()
}

fn property(argument: &Argument) -> Value {
    let mut property = match &argument.shape {
        Shape::Text | Shape::Pairs => json!({"type": "string"}),
        Shape::Whole => json!({"type": "integer"}),
        Shape::Number => json!({"type": "number"}),
        Shape::Flag => json!({"type": "boolean"}),
        Shape::Choice(choices) => json!({"type": "string", "enum": choices}),
    };
    if argument.is_list {
        property = json!({"type": "array", "items": property});
    }
    if !argument.help.is_empty() {
        property["description"] = argument.help.as_str().into();
    }
    property
}

fn annotations(operations: &[&'static Entry], allow_write: bool) -> ToolAnnotations {
    let most = |effect: Effect| operations.iter().any(|entry| entry.effect == effect);
    let writes = allow_write && (most(Effect::Adds) || most(Effect::Destroys));
    let this = ToolAnnotations::new().read_only(!writes).open_world(false);
    match writes {
        true => this.destructive(most(Effect::Destroys)).idempotent(true),
        false => this,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{ToolOptions, Tools, listed};

    fn tools(names: &str, structured: bool, allow_write: bool) -> Tools {
        let options = ToolOptions { tools: Some(names.to_owned()), structured };
        Tools::new(&options, allow_write).expect("tools")
    }

    fn each(value: &Value, act: &mut impl FnMut(&str, &Value)) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| {
                act(key, value);
                each(value, act);
            }),
            Value::Array(items) => items.iter().for_each(|item| each(item, act)),
            _ => {}
        }
    }

    #[test]
    fn the_tools_and_the_instructions_have_at_most_a_thousand_tokens() {
        let text = format!("{}{}", listed(), crate::INSTRUCTIONS);
        let count = tokens::count(&text);
        assert!(count <= 1000, "{count}: {text}");
    }

    #[test]
    fn schemas_are_plain_enough_for_strict_clients() {
        let all = tools("all", true, true);
        assert!(all.list().len() > 30);
        for tool in all.list().iter().chain(tools("default", true, false).list()) {
            let input = Value::Object((*tool.input_schema).clone());
            let output = tool.output_schema.as_deref().cloned().map(Value::Object);
            let output = output.expect("a schema of its answers");
            assert_eq!((&input["type"], &output["type"]), (&json!("object"), &json!("object")));
            each(&json!([input, output]), &mut |key, value| {
                let forbidden = ["$ref", "anyOf", "oneOf", "allOf", "format", "$schema", "default"];
                // An argument may be called so; it is described by an object.
                let is_name = value.is_object();
                assert!(is_name || !forbidden.contains(&key), "{}: {key}", tool.name);
                if key == "type" {
                    assert!(value.is_string() || value.is_object(), "{}: {value}", tool.name);
                }
                if key == "enum" {
                    assert!(value.as_array().is_some_and(|all| !all.is_empty()));
                }
            });
            assert!(tool.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
        }
    }

    #[test]
    fn a_step_takes_its_places_by_target_and_to() {
        let tools = tools("default", false, false);
        let ask = |arguments: Value| {
            let Value::Object(arguments) = arguments else { panic!("an object") };
            tools.question("trace", arguments).expect("a tool")
        };
        let callers = ask(json!({"step": "callers", "target": "run", "limit": 3})).expect("legal");
        assert_eq!(callers.entry.name, "callers");
        assert_eq!(Value::from(callers.input), json!({"limit": 3, "symbols": ["run"]}));
        let path = ask(json!({"step": "path", "target": "a", "to": "b"})).expect("legal");
        assert_eq!(Value::from(path.input), json!({"from": "a", "to": "b"}));
        let files = ask(json!({"step": "affected", "target": "a.rs b.rs"})).expect("legal");
        assert_eq!(Value::from(files.input), json!({"what": ["a.rs", "b.rs"]}));
        assert!(ask(json!({"step": "callers"})).is_err());
        assert!(ask(json!({"step": "watch"})).is_err());
        assert!(ask(json!({"step": 3})).is_err());
        assert!(tools.question("outline", serde_json::Map::new()).is_none());
    }

    #[test]
    fn annotations_say_what_a_tool_may_do() {
        let hints = |allow_write: bool, name: &str| {
            let hints =
                tools(name, false, allow_write).list()[0].annotations.clone().expect("annotations");
            (hints.read_only_hint, hints.destructive_hint)
        };
        assert_eq!(hints(false, "remove"), (Some(true), None));
        assert_eq!(hints(true, "remove"), (Some(false), Some(true)));
        assert_eq!(hints(true, "link"), (Some(false), Some(false)));
        assert_eq!(hints(true, "search"), (Some(true), None));
        let none = |name: &str| {
            let options = ToolOptions { tools: Some(name.to_owned()), structured: false };
            Tools::new(&options, false).is_err()
        };
        assert!(none("nothing") && none("watch"));
    }
}
