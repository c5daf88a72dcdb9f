use languages::Registry;
use model::{FileFacts, LineType, Role, Visibility};

use crate::Source;

fn facts(path: &str, text: &str) -> FileFacts {
    let language = Registry::builtin().detect(path, text.as_bytes());
    crate::extract(language, Source { path, text })
}

fn qualified_names(facts: &FileFacts) -> Vec<&str> {
    facts.symbols.iter().map(|symbol| symbol.qualified_name.as_str()).collect()
}

fn has_term(facts: &FileFacts, name: &str, line: u32, line_type: LineType) -> bool {
    facts.occurrences.iter().any(|occurrence| {
        facts.name(occurrence.name) == name
            && occurrence.line == line
            && occurrence.line_type == line_type
    })
}

#[test]
fn what_was_blanked_keeps_its_text_its_words_and_its_comments() {
    let text = "#define PAIR(a) f(a); /* TODO: both */ \\\n    g(a)\n\
        /* Opens it. */\nMODULE_API module_t open_it(int a) {\n\
        #ifdef NARROW\n  if (a) {\n#else\n  if (widened(a)) {\n#endif\n    return a; }\n}\n";
    let facts = facts("a.c", text);
    assert!(facts.problems.is_empty(), "{:?}", facts.problems);
    assert_eq!(qualified_names(&facts), ["PAIR", "open_it"]);
    let function = &facts.symbols[1];
    assert_eq!(function.signature, "MODULE_API module_t open_it(int a)");
    assert_eq!(function.docs.as_deref(), Some("Opens it."));
    assert!(has_term(&facts, "MODULE_API", 4, LineType::Code));
    assert!(has_term(&facts, "widened", 8, LineType::Code));
    assert!(has_term(&facts, "both", 1, LineType::Comment));
    assert_eq!(facts.markers.len(), 1);
    let uses: Vec<_> = facts
        .references
        .iter()
        .filter(|reference| {
            ["MODULE_API", "NARROW", "widened"].contains(&facts.name(reference.name))
        })
        .map(|reference| (facts.name(reference.name), reference.role, reference.symbol))
        .collect();
    let expected = [
        ("MODULE_API", Role::Macro, Some(1)),
        ("NARROW", Role::Macro, Some(1)),
        ("widened", Role::Read, Some(1)),
    ];
    assert_eq!(uses, expected);
}

#[test]
fn a_struct_behind_a_macro_has_its_fields() {
    let facts = facts("a.c", "struct PACKED head { unsigned short length; };\n");
    assert_eq!(qualified_names(&facts), ["head", "head.length"]);
}

#[test]
fn a_reference_to_a_value_that_goes_is_no_decision() {
    let facts = facts("a.cc", "void f(Box&& box, bool b) { if (b && box.full()) return; }\n");
    assert_eq!(facts.symbols[0].metrics.map(|metrics| metrics.cyclomatic), Some(3));
}

#[test]
fn a_second_name_of_a_type_owns_nothing_of_it() {
    let facts = facts("a.c", "typedef struct a { int x; } b;\nstruct c { int y; } d;\n");
    assert_eq!(qualified_names(&facts), ["b", "a", "a.x", "d", "c", "c.y"]);
}

#[test]
fn modifiers_inside_a_body_before_the_name_are_not_its_own() {
    let text = "typedef struct { int (*private)(void); static int x; } box;\n";
    let facts = facts("a.cc", &format!("class A {{ {text} }};\nnamespace n {{\n{text}}}\n"));
    let boxes: Vec<_> = facts
        .symbols
        .iter()
        .filter(|symbol| facts.name(symbol.name) == "box")
        .map(|symbol| (symbol.visibility, symbol.flags.has(model::SymbolFlags::STATIC)))
        .collect();
    assert_eq!(boxes, [(Some(Visibility::Private), false), (Some(Visibility::Public), false)]);
}

#[test]
fn what_reads_like_a_prototype_inside_a_function_is_a_variable() {
    let facts =
        facts("a.cc", "void f() {\n  Lock lock(Mutex);\n  lock.release();\n}\nBox g(Mutex);\n");
    assert_eq!(qualified_names(&facts), ["f", "g"]);
    let binding = &facts.bindings[0];
    assert_eq!(facts.name(binding.name), "lock");
    assert_eq!(binding.declared_type.map(|name| facts.name(name)), Some("Lock"));
}

#[test]
fn tokens_of_macros_are_read_in_time_that_fits_their_length() {
    let nested = format!("fn f() {{ {} 1 {} }}\n", "m!(g(), ".repeat(3000), ")".repeat(3000));
    let lists = format!("fn f() {{ m!{{ {}x{} }} }}\n", "(< ".repeat(5000), ")".repeat(5000));
    let arms = format!("fn f() {{ m!{{ {} }} }}\n", "a.b() => c d(e) = < ,".repeat(5000));
    let open = format!("fn f() {{ m!({}", "é => [é.ü(".repeat(2000));
    for text in [nested, lists, arms, open] {
        let started = std::time::Instant::now();
        let facts = facts("a.rs", &text);
        assert!(started.elapsed().as_secs() < 20, "{}", facts.references.len());
        assert!(facts.references.iter().all(|reference| (reference.start as usize) < text.len()));
    }
}

#[test]
fn tokens_at_the_edges_of_a_file_are_read() {
    let facts = facts("a.rs", "m!{a.b()}");
    let calls = facts.references.iter().filter(|reference| reference.role == Role::Call);
    assert_eq!(calls.map(|call| call.start).collect::<Vec<_>>(), [5]);
}
