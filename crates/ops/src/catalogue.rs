//! Every operation as data, for shells that choose one by its name and speak JSON.
//!
//! An operation says what it takes twice, once to clap and once to serde. Nothing is said a third time:
//! serde knows the names of the fields in JSON, clap knows what they mean, which are needed and what
//! kind of value they take. [`Argument`] is what both say together.

use std::sync::OnceLock;

use clap::{Args, Command};
use serde::de::{DeserializeOwned, Deserializer, Visitor, value::Error as Stop};
use serde_json::{Map, Value};

use crate::{Error, Kind, Operation, Reply, Request, Result, Workspace};

/// Calls `$act!(Operation)` with every operation.
#[macro_export]
macro_rules! operations {
    ($act:ident) => {
        $act!($crate::index::Index);
        $act!($crate::watch::Watch);
        $act!($crate::remove::Remove);
        $act!($crate::status::Status);
        $act!($crate::validate::Validate);
        $act!($crate::find::Find);
        $act!($crate::search::Search);
        $act!($crate::context::Context);
        $act!($crate::show::Show);
        $act!($crate::outline::Outline);
        $act!($crate::tree::Tree);
        $act!($crate::overview::Overview);
        $act!($crate::summary::Summary);
        $act!($crate::summary::Describe);
        $act!($crate::docs::Docs);
        $act!($crate::links::Callers);
        $act!($crate::links::Callees);
        $act!($crate::links::References);
        $act!($crate::hierarchy::Hierarchy);
        $act!($crate::path::Path);
        $act!($crate::impact::Impact);
        $act!($crate::changes::Changes);
        $act!($crate::affected::Affected);
        $act!($crate::graph::Graph);
        $act!($crate::export::Export);
        $act!($crate::query::Query);
        $act!($crate::recipes::Recipes);
        $act!($crate::schema::Schema);
        $act!($crate::dump::Dump);
        $act!($crate::doctor::Doctor);
        $act!($crate::projects::Projects);
        $act!($crate::project_links::Link);
        $act!($crate::project_links::Unlink);
        $act!($crate::project_links::Links);
    };
}

/// The most an operation does to what there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: it answers. That files are looked at again and indexed is no effect.
    Reads,
    /// Something is there afterwards that was not.
    Adds,
    /// Something may be lost.
    Destroys,
    /// It never ends by itself; servers do the same all the time.
    Endures,
}

/// One operation.
#[derive(Debug)]
pub struct Entry {
    pub name: &'static str,
    /// What it does, in one line.
    pub about: String,
    /// Examples for the command line.
    pub examples: &'static str,
    pub effect: Effect,
    pub arguments: Vec<Argument>,
    /// What can be done, for those that do several things, each with its arguments.
    pub actions: Vec<(String, Vec<Argument>)>,
    ask: fn(&Workspace, Value, &Request) -> Result<Reply>,
    answer_schema: fn() -> Value,
    writes: fn(&Value) -> Result<bool>,
}

/// Something an operation takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// Its key in JSON.
    pub name: String,
    pub help: String,
    pub shape: Shape,
    pub is_list: bool,
    pub is_required: bool,
    /// Its place on the command line needs no name.
    pub is_positional: bool,
}

/// What kind of value an argument takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Text,
    Whole,
    Number,
    Flag,
    Choice(Vec<String>),
    /// Keys and values.
    Pairs,
}

/// All operations, in the order in which they are told.
pub fn catalogue() -> &'static [Entry] {
    static CATALOGUE: OnceLock<Vec<Entry>> = OnceLock::new();
    CATALOGUE.get_or_init(|| {
        let mut all = Vec::new();
        macro_rules! add {
            ($operation:ty) => {
                all.push(Entry::of::<$operation>());
            };
        }
        operations!(add);
        all
    })
}

impl Entry {
    /// The operation of this name, in kebab-case or snake_case.
    pub fn named(name: &str) -> Option<&'static Self> {
        catalogue().iter().find(|entry| entry.name == name || entry.snake_name() == name)
    }

    pub fn snake_name(&self) -> String {
        self.name.replace('-', "_")
    }

    /// Asks with arguments as JSON has them.
    pub fn ask(&self, workspace: &Workspace, input: Value, request: &Request) -> Result<Reply> {
        (self.ask)(workspace, self.folded(input), request)
    }

    /// What it answers in JSON, as JSON Schema.
    pub fn answer_schema(&self) -> Value {
        (self.answer_schema)()
    }

    /// Whether the question would change something.
    pub fn writes(&self, input: &Value) -> Result<bool> {
        (self.writes)(&self.folded(input.clone()))
    }

    /// All arguments, those of actions too, each once; `action` chooses among several.
    pub fn all_arguments(&self) -> Vec<Argument> {
        let mut all = self.arguments.clone();
        let names: Vec<String> = self.actions.iter().map(|(name, _)| name.clone()).collect();
        if !names.is_empty() {
            all.push(Argument {
                name: ACTION.to_owned(),
                help: "What to do".to_owned(),
                shape: Shape::Choice(names),
                is_list: false,
                is_required: self.arguments.is_empty(),
                is_positional: true,
            });
        }
        for argument in self.actions.iter().flat_map(|(_, arguments)| arguments) {
            if !all.iter().any(|known| known.name == argument.name) {
                all.push(Argument { is_required: false, ..argument.clone() });
            }
        }
        all
    }

    fn of<O: Operation>() -> Self {
        let command = O::Input::augment_args(Command::new(O::NAME));
        let fields = fields_of::<O::Input>();
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let mut arguments: Vec<Argument> = command
            .get_arguments()
            .filter_map(|argument| describe(argument, |name| fields.contains(&name)))
            .collect();
        // A text that stands for a list of words is asked for as a text.
        for argument in arguments.iter_mut().filter(|argument| argument.is_list) {
            let alone = Map::from_iter([(argument.name.clone(), Value::from("x"))]);
            argument.is_list = serde_json::from_value::<O::Input>(alone.into()).is_err();
        }
        let actions = command.get_subcommands().map(|action| {
            let arguments = action.get_arguments().filter_map(|it| describe(it, |_| true));
            (action.get_name().replace('-', "_"), arguments.collect())
        });
        Self {
            name: O::NAME,
            about,
            examples: O::EXAMPLES,
            effect: O::EFFECT,
            actions: actions.collect(),
            arguments,
            answer_schema: crate::answer_schema::answer_schema::<O>,
            ask: |workspace, input, request| {
                crate::reply::<O>(workspace, parsed::<O>(input)?, request)
            },
            writes: |input| Ok(O::writes(&parsed::<O>(input.clone())?)),
        }
    }

    /// What an action takes stands beside it for whoever asks, and inside it for serde. One value
    /// stands for a list of it.
    fn folded(&self, input: Value) -> Value {
        let Value::Object(mut input) = input else { return input };
        for argument in self.arguments.iter().filter(|argument| argument.is_list) {
            if let Some(value) = input.get_mut(&argument.name)
                && matches!(value, Value::String(_) | Value::Number(_))
            {
                *value = Value::Array(vec![value.take()]);
            }
        }
        let Some(action) = input.get(ACTION).and_then(Value::as_str).map(str::to_owned) else {
            return Value::Object(input);
        };
        let Some((_, taken)) = self.actions.iter().find(|(name, _)| *name == action) else {
            return Value::Object(input);
        };
        let mut inner = Map::new();
        for argument in taken {
            if let Some(value) = input.remove(&argument.name) {
                inner.insert(argument.name.clone(), value);
            }
        }
        if !taken.is_empty() {
            input.insert(ACTION.to_owned(), serde_json::json!({ action: inner }));
        }
        Value::Object(input)
    }
}

const ACTION: &str = "action";

fn parsed<O: Operation>(input: Value) -> Result<O::Input> {
    let input = if input.is_null() { Value::Object(Map::new()) } else { input };
    serde_json::from_value(input).map_err(|error| {
        let entry = Entry::named(O::NAME).map(Entry::all_arguments).unwrap_or_default();
        let known: Vec<&str> = entry.iter().map(|argument| argument.name.as_str()).collect();
        let hint = match known.is_empty() {
            true => format!("`{}` takes no arguments.", O::NAME),
            false => format!("`{}` takes {}.", O::NAME, known.join(", ")),
        };
        Error::new(Kind::Usage, format!("arguments: {error}")).hint(hint)
    })
}

/// An argument as clap knows it, under the name that serde knows; none if JSON does not have it.
fn describe(argument: &clap::Arg, is_known: impl Fn(&str) -> bool) -> Option<Argument> {
    let long = argument.get_long().map(|name| name.replace('-', "_"));
    let id = argument.get_id().as_str().to_owned();
    let name = [long, Some(id)].into_iter().flatten().find(|name| is_known(name))?;
    let parser = argument.get_value_parser();
    let is_one_of = |types: &[std::any::TypeId]| types.iter().any(|kind| parser.type_id() == *kind);
    let choices: Vec<String> =
        argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let whole = [of::<usize>(), of::<u64>(), of::<u32>(), of::<i64>()];
    let shape = if !argument.get_action().takes_values() {
        Shape::Flag
    } else if is_one_of(&whole) {
        Shape::Whole
    } else if is_one_of(&[of::<f64>()]) {
        Shape::Number
    } else if is_one_of(&[of::<crate::query::Parameters>()]) {
        Shape::Pairs
    } else if choices.is_empty() {
        Shape::Text
    } else {
        Shape::Choice(choices)
    };
    Some(Argument {
        name,
        help: argument.get_help().map(ToString::to_string).unwrap_or_default(),
        is_list: matches!(argument.get_action(), clap::ArgAction::Append) && shape != Shape::Pairs,
        shape,
        is_required: argument.is_required_set(),
        is_positional: argument.is_positional(),
    })
}

fn of<T: 'static>() -> std::any::TypeId {
    std::any::TypeId::of::<T>()
}

/// The names of the fields of a struct, from serde itself: it names them before it reads anything.
fn fields_of<T: DeserializeOwned>() -> &'static [&'static str] {
    struct Ask<'f>(&'f mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Ask<'_> {
        type Error = Stop;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> std::result::Result<V::Value, Stop> {
            Err(serde::de::Error::custom("only its fields were asked for"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            visitor: V,
        ) -> std::result::Result<V::Value, Stop> {
            *self.0 = fields;
            self.deserialize_any(visitor)
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let mut fields: &'static [&'static str] = &[];
    let _ = T::deserialize(Ask(&mut fields));
    fields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Argument, Effect, Entry, Shape, catalogue};

    fn argument<'a>(arguments: &'a [Argument], name: &str) -> &'a Argument {
        arguments.iter().find(|argument| argument.name == name).expect(name)
    }

    #[test]
    fn arguments_have_the_names_of_json_and_the_meaning_of_the_command_line() {
        let show = Entry::named("show").expect("an operation").all_arguments();
        assert_eq!(show[0].name, "symbol");
        assert!(show[0].is_required && show[0].is_positional);
        assert_eq!(argument(&show, "in").help, "Only symbols in this file or directory");
        assert_eq!(argument(&show, "source").shape, Shape::Flag);
        assert_eq!(argument(&show, "limit").shape, Shape::Whole);
        let query = Entry::named("query").expect("an operation").all_arguments();
        assert_eq!(argument(&query, "params").shape, Shape::Pairs);
        assert!(!query.iter().any(|argument| argument.name == "file"), "files are no input");
        let search = Entry::named("search").expect("an operation").all_arguments();
        assert!(!argument(&search, "query").is_list, "a sentence is one text");
        let outline = Entry::named("outline").expect("an operation").all_arguments();
        assert!(argument(&outline, "files").is_list);
        let callers = Entry::named("callers").expect("an operation").all_arguments();
        assert!(callers[0].name == "symbols" && callers[0].is_list);
    }

    #[test]
    fn what_is_not_needed_can_be_left_out() {
        for entry in catalogue().iter().filter(|entry| entry.actions.is_empty()) {
            let needed = entry.arguments.iter().filter(|argument| argument.is_required);
            let input: serde_json::Map<String, serde_json::Value> = needed
                .map(|argument| {
                    let value = match &argument.shape {
                        Shape::Choice(choices) => json!(choices[0]),
                        _ => json!("x"),
                    };
                    (argument.name.clone(), value)
                })
                .collect();
            let outcome = entry.writes(&input.into());
            assert!(outcome.is_ok(), "{}: {outcome:?}", entry.name);
        }
    }

    #[test]
    fn every_listed_choice_is_one_that_json_accepts() {
        for entry in catalogue() {
            for argument in &entry.arguments {
                let Shape::Choice(choices) = &argument.shape else { continue };
                for choice in choices {
                    let value =
                        if argument.is_list { json!([choice]) } else { json!(choice.as_str()) };
                    let error = (entry.writes)(&json!({ argument.name.as_str(): value }));
                    let message = error.err().map(|error| error.message).unwrap_or_default();
                    assert!(
                        !message.contains("variant"),
                        "{} {} {choice}: {message}",
                        entry.name,
                        argument.name
                    );
                }
            }
        }
    }

    #[test]
    fn actions_are_chosen_by_a_word_beside_their_arguments() {
        let recipes = Entry::named("recipes").expect("an operation");
        let folded = recipes.folded(json!({"action": "show", "id": "dead-code"}));
        assert_eq!(folded, json!({"action": {"show": {"id": "dead-code"}}}));
        let projects = Entry::named("projects").expect("an operation");
        assert_eq!(projects.folded(json!({"action": "list"})), json!({"action": "list"}));
        assert!(projects.writes(&json!({"action": "delete", "directory": "x"})).expect("parsed"));
        assert!(!projects.writes(&json!({"action": "list"})).expect("parsed"));
    }

    #[test]
    fn one_value_stands_for_a_list_and_wrong_ones_are_told() {
        let outline = Entry::named("outline").expect("an operation");
        assert_eq!(outline.folded(json!({"files": "a.rs"})), json!({"files": ["a.rs"]}));
        let error = outline.writes(&json!({"limit": -1})).expect_err("a negative number");
        assert_eq!(error.kind, crate::Kind::Usage);
        assert!(error.hint.expect("a hint").contains("files"));
    }

    #[test]
    fn what_can_be_lost_is_known() {
        let effect = |name: &str| Entry::named(name).expect("an operation").effect;
        assert_eq!(effect("search"), Effect::Reads);
        assert_eq!(effect("link"), Effect::Adds);
        assert_eq!(effect("describe"), Effect::Destroys);
        assert_eq!(effect("remove"), Effect::Destroys);
        assert_eq!(effect("watch"), Effect::Endures);
        let query = Entry::named("query").expect("an operation");
        assert!(!query.writes(&json!({"sql": "SELECT 1"})).expect("parsed"));
        assert!(query.writes(&json!({"sql": "SELECT 1", "save_baseline": "x"})).expect("parsed"));
    }
}
