use std::time::Instant;

use languages::Registry;
use model::{FileFacts, ImportFlags, ProblemKind, Role, SymbolKind};

use super::extract;
use crate::Source;

fn facts(text: &str) -> FileFacts {
    let language = Registry::builtin().get("css").expect("CSS is built in");
    extract(language, Source { path: "styles/app.css", text }).expect("the text is not hostile")
}

/// Each name with the text that stands at its place.
fn classes(text: &str) -> Vec<String> {
    let facts = facts(text);
    facts.styles.classes.iter().map(|class| facts.name(class.name).to_owned()).collect()
}

fn symbols(text: &str) -> Vec<String> {
    let facts = facts(text);
    let line = |symbol: &model::Symbol| {
        format!("{} {} = {}", symbol.kind, symbol.qualified_name, symbol.span.slice(text))
    };
    facts.symbols.iter().map(line).collect()
}

fn references(text: &str) -> Vec<String> {
    let facts = facts(text);
    facts
        .references
        .iter()
        .map(|reference| {
            assert_eq!(reference.role, Role::Read);
            let name = facts.name(reference.name);
            assert!(
                text[reference.start as usize..].starts_with(name),
                "{name} is not where it says"
            );
            let symbol =
                reference.symbol.map(|index| &facts.symbols[index as usize].qualified_name);
            format!("{name} in {}", symbol.map_or("-", |name| name))
        })
        .collect()
}

fn variables(text: &str) -> Vec<String> {
    let facts = facts(text);
    facts
        .styles
        .variables
        .iter()
        .map(|variable| {
            let name = facts.name(variable.name);
            assert!(
                text[variable.start as usize..].starts_with(name),
                "{name} is not where it says"
            );
            format!("{} | {name} = {}", variable.scope, variable.value)
        })
        .collect()
}

#[test]
fn cm_37_variables_carry_root_theme_or_selector_as_scope() {
    let text = "
        :root { --brand: #0af; --gap:calc(4px * 2) !important }
        @theme inline { --color-*: initial; --color-ink: var(--brand); }
        .card, .panel { --pad: 1rem; & > header { --pad: 2rem } @media print { --pad: 0 } }
        @media (prefers-color-scheme: dark) { :root { --brand: #fff; } }
    ";
    assert_eq!(
        variables(text),
        [
            ":root | --brand = #0af",
            ":root | --gap = calc(4px * 2)",
            "@theme | --color-ink = var(--brand)",
            ".card, .panel | --pad = 1rem",
            "& > header | --pad = 2rem",
            ".card, .panel | --pad = 0",
            ":root | --brand = #fff",
        ]
    );
}

#[test]
fn cm_37_a_variable_may_hold_blocks_strings_and_semicolons() {
    let text =
        ":root{--mixin:{ color: red; top: 0 };--quote:\"a;b}\";--empty:;--last: x /* y */ z}";
    assert_eq!(
        variables(text),
        [
            ":root | --mixin = { color: red; top: 0 }",
            ":root | --quote = \"a;b}\"",
            ":root | --empty = ",
            ":root | --last = x z",
        ]
    );
}

#[test]
fn cm_37_class_names_stand_without_dot_once_per_rule() {
    let text = ".btn.btn-primary, .btn:hover > .icon { margin: .5em } .btn { width: 1.5px }";
    assert_eq!(classes(text), ["btn", "btn-primary", "icon", "btn"]);
    let facts = facts(text);
    let starts: Vec<u32> = facts.styles.classes.iter().map(|class| class.start).collect();
    assert_eq!(starts, [1, 5, 32, 55]);
}

#[test]
fn cm_37_class_names_are_found_wherever_a_selector_stands() {
    assert_eq!(classes(r".md\:w-1\/2 { } .\31 0col { }"), ["md:w-1/2", "10col"]);
    assert_eq!(classes(":global(.modal) :is(.a, .b) :not(.c) { }"), ["modal", "a", "b"]);
    assert_eq!(classes("@media (min-width: 1px) { .inner { &.on { } } }"), ["inner", "on"]);
    assert_eq!(classes("@utility content-auto { } @utility tab-* { }"), ["content-auto"]);
    assert_eq!(classes("@scope (.card) to (.body) { img { } }"), ["card", "body"]);
    assert_eq!(classes("/* .no */ a[href='.no'] { background: url(x.no) } "), [""; 0]);
    assert_eq!(classes(".größe { } .a/**/.b { }"), ["größe", "a", "b"]);
}

#[test]
fn cm_37_keyframes_are_sections_and_animations_read_them() {
    let text = "@keyframes spin { from { rotate: 0 } to { rotate: 1turn } }
        @-webkit-keyframes 'fade in' { 0% { opacity: 0 } }
        .a { animation: spin 1s cubic-bezier(.1, .2, .3, 1) infinite, fade var(--time) both }
        .b { -webkit-animation-name: 'fade in', none; }";
    let found = facts(text);
    let names: Vec<&str> =
        found.styles.keyframes.iter().map(|frames| found.name(frames.name)).collect();
    assert_eq!(names, ["spin", "fade in"]);
    let sections = found.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Section);
    let names: Vec<&str> = sections.map(|symbol| symbol.qualified_name.as_str()).collect();
    assert_eq!(names, ["@keyframes spin", "@-webkit-keyframes 'fade in'"]);
    assert_eq!(references(text), ["spin in .a", "fade in .a", "--time in .a", "fade in in .b"]);
}

#[test]
fn cm_37_imports_in_every_form() {
    let text = "@charset \"utf-8\";
        @import 'a.css';@import url(b.css) screen;
        @import url( \"c.css\" ) layer(base) supports(display: grid);
        @import \"tailwindcss\" prefix(tw);
        @plugin \"@tailwindcss/typography\";";
    let found = facts(text);
    let sources: Vec<&str> = found.imports.iter().map(|import| import.source.as_str()).collect();
    assert_eq!(sources, ["a.css", "b.css", "c.css", "tailwindcss", "@tailwindcss/typography"]);
    for import in &found.imports {
        assert!(import.flags.has(ImportFlags::EFFECT));
        assert!(text[import.start as usize..].starts_with(&import.source));
        assert!(import.statement.slice(text).starts_with('@'));
    }
}

#[test]
fn cm_37_css_modules_compose_classes_of_other_files() {
    let text = ".a { composes: b c from \"./other.module.css\"; composes: d }
        @value gap, size as big from './sizes.css'; @value wide: (min-width: 9px);
        @media wide { .e { width: big } }";
    let found = facts(text);
    let imports: Vec<String> = found
        .imports
        .iter()
        .map(|import| {
            let name = |id: Option<model::NameId>| id.map_or("-", |id| found.name(id));
            format!("{} {} {}", import.source, name(import.name), name(import.alias))
        })
        .collect();
    let expected = [
        "./other.module.css b -",
        "./other.module.css c -",
        "./sizes.css gap -",
        "./sizes.css size big",
    ];
    assert_eq!(imports, expected);
    let expected =
        ["b in .a", "c in .a", "d in .a", "wide in @media wide", "big in @media wide .e"];
    assert_eq!(references(text), expected);
    let wide = found.symbols.iter().find(|symbol| found.name(symbol.name) == "wide");
    let wide = wide.expect("`@value` defines a name");
    assert_eq!((wide.kind, wide.value.as_deref()), (SymbolKind::Var, Some("(min-width: 9px)")));
}

#[test]
fn cm_37_a_text_the_parser_refuses_keeps_its_facts() {
    for text in [
        ".a { *zoom: 1; --x: 1 } .b { }",
        ".a { color: red; } } .b { --x: 1 }",
        ".a { --x: 1; } .b { color: 'open\n }",
        ".a:not( { --x: 1 } .b { ",
    ] {
        let found = facts(text);
        assert!(!found.problems.is_empty(), "{text}");
        assert!(found.problems.iter().all(|problem| problem.kind != ProblemKind::Fallback));
        assert!(found.styles.classes.iter().any(|class| found.name(class.name) == "a"), "{text}");
    }
    let found = facts("a { }\n.ä { color: red; 🙂 : ; }\n.b:: { }");
    assert_eq!(found.problems.len(), 1);
}

#[test]
fn rules_own_what_is_nested_in_them() {
    assert_eq!(
        symbols("@media print{.a,.b>c{--x:1;&:hover{top:0}}}@layer base{}"),
        [
            "section @media print = @media print{.a,.b>c{--x:1;&:hover{top:0}}}",
            "selector @media print .a, .b > c = .a,.b>c{--x:1;&:hover{top:0}}",
            "var @media print .a, .b > c --x = --x:1",
            "selector @media print .a, .b > c &:hover = &:hover{top:0}",
            "section @layer base = @layer base{}",
        ]
    );
    assert_eq!(
        symbols("a /* x */ ~ b[c~=d],\n  :is( e , f ) { }"),
        ["selector a ~ b[c~=d], :is(e, f) = a /* x */ ~ b[c~=d],\n  :is( e , f ) { }"]
    );
}

#[test]
fn variables_are_read_where_they_are_used() {
    let text =
        ":root { --a: var( --b, var(--c)); transition: --angle 1s, color 2s; anchor-name: --me }
        @custom-media --narrow (max-width: 30em); @media (--narrow) { p { width: VAR(--w) } }
        @property --angle { syntax: \"<angle>\"; inherits: false; initial-value: 0deg }";
    assert_eq!(
        references(text),
        [
            "--b in :root --a",
            "--c in :root --a",
            "--angle in :root",
            "--narrow in @media (--narrow)",
            "--w in @media (--narrow) p",
        ]
    );
    let found = facts(text);
    let value = |name: &str| {
        let symbol = found.symbols.iter().find(|symbol| found.name(symbol.name) == name);
        symbol.and_then(|symbol| symbol.value.clone())
    };
    assert_eq!(value("--narrow").as_deref(), Some("(max-width: 30em)"));
    assert_eq!(value("--angle").as_deref(), Some("0deg"));
}

#[test]
fn tailwind_classes_are_read_by_apply_and_its_rules_are_no_problem() {
    let text = "@tailwind base;
        @layer components { .btn { @apply px-4 hover:bg-red-500/50 w-[calc(100%-1px)] !important; } }
        @custom-variant dark (&:where(.dark, .dark *));
        @theme { --color-*: initial; --ease-snap: cubic-bezier(.2, 0, 0, 1); @keyframes wiggle { to { top: 0 } } }
        @utility tab-4 { tab-size: 4; }
        .a { @variant dark { color: white; } color: --alpha(var(--color-x) / 50%); }";
    assert_eq!(facts(text).problems, []);
    let expected = [
        "px-4 in @layer components .btn",
        "hover:bg-red-500/50 in @layer components .btn",
        "w-[calc(100%-1px)] in @layer components .btn",
        "--color-x in .a",
    ];
    assert_eq!(references(text), expected);
}

#[test]
fn comments_right_above_a_rule_are_its_docs() {
    let found = facts(
        "/* Head. */\n\n/* The button\n * of all. */\n.btn {\n  /* Space. */\n  --x: 1; /* no */\n  --y: 2;\n}",
    );
    let docs: Vec<Option<&str>> =
        found.symbols.iter().map(|symbol| symbol.docs.as_deref()).collect();
    assert_eq!(docs, [Some("The button\nof all."), Some("Space."), None]);
}

#[test]
fn names_are_terms_and_words_of_the_language_are_not() {
    let found = facts(
        "#main .btn-lg my-card[data-state=\"open\"] { color: red; content: 'hello world'; --gap: 1px }
         a { background: url(data:image/png;base64,AbCdEfGh); src: url(fonts/inter.woff2) }",
    );
    let mut terms: Vec<&str> =
        found.occurrences.iter().map(|occurrence| found.name(occurrence.name)).collect();
    terms.sort_unstable();
    let expected = [
        "--gap",
        "btn-lg",
        "data-state",
        "fonts",
        "hello",
        "inter",
        "main",
        "my-card",
        "open",
        "woff2",
        "world",
    ];
    assert_eq!(terms, expected);
}

#[test]
fn deep_nesting_is_given_up_at_once() {
    let language = Registry::builtin().get("css").expect("CSS is built in");
    for text in ["a{".repeat(101), "a{b:".to_owned() + &"(".repeat(200)] {
        let source = Source { path: "a.css", text: &text };
        assert!(extract(language, source).is_err());
    }
    let text = "a{".repeat(90);
    assert!(extract(language, Source { path: "a.css", text: &text }).is_ok());
}

#[test]
fn long_lines_and_hostile_texts_take_linear_time() {
    let texts = [
        ".a{color:red;--x:1}".repeat(20_000),
        ".a,".repeat(100_000) + "{}",
        "--x:".repeat(100_000),
        "(".repeat(90) + &"}".repeat(200_000),
        "/*".repeat(200_000),
        "/**/".repeat(100_000),
        "a{}/* x */\n".repeat(30_000),
        "a{/* x */".to_owned() + &"--x:1;".repeat(60_000),
        "\\".repeat(200_000),
        "@media ".repeat(50_000),
        "\"\n".repeat(100_000),
        "a{b:".to_owned() + &"c(".repeat(90) + &"--x ".repeat(50_000),
    ];
    let language = Registry::builtin().get("css").expect("CSS is built in");
    for text in texts {
        let begin = Instant::now();
        let _ = extract(language, Source { path: "a.css", text: &text });
        let head: String = text.chars().take(20).collect();
        assert!(begin.elapsed().as_secs() < 5, "{head} took {:?}", begin.elapsed());
    }
}

#[test]
fn any_text_is_read_without_panic() {
    let seed = "@import url(a);.ä\\:b:not(.c){--x:\"é\\\n';}/**/#\\31 @apply -- .5 <!--}[{(";
    let characters: Vec<char> = seed.chars().collect();
    let mut state = 7_u32;
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..24 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push(characters[(state >> 16) as usize % characters.len()]);
        }
        let found = facts(&text);
        for symbol in &found.symbols {
            assert!(symbol.span.contains(symbol.name_span), "{text}");
            assert!(symbol.body.is_none_or(|body| symbol.span.contains(body)), "{text}");
        }
    }
}
