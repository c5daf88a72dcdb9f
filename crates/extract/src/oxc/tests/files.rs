//! Modules, components, and the text of files.

use super::*;
use model::{
    ExportKind, ImportFlags, LineType, ProblemKind, ReferenceFlags, SymbolFlags, SymbolKind,
};

#[test]
fn cm_34_imports_say_what_they_take_and_how() {
    let facts = typescript(
        "import d, { a, b as c, type T, default as e } from 'm'; import * as ns from 'n'; import 'o';\n\
         import type { U } from 'p'; import x = require('q'); export { f as g } from 'r'; export * from 's';\n\
         export * as h from 't'; const lazy = () => import('u'); async function l() { const { v, w: y } = await import('z') }",
    );
    assert_eq!(
        imports(&facts),
        [
            "m default d default",
            "m a - ",
            "m b c ",
            "m T - type_only",
            "m default e default",
            "n - ns namespace",
            "o - - effect",
            "p U - type_only",
            "q - x namespace",
            "r f g re_export",
            "s - - wildcard+re_export",
            "t - h re_export+namespace",
            "u - - dynamic",
            "z v - dynamic",
            "z w y dynamic",
        ]
    );
    assert!(facts.imports[13].scope > 0);
    assert_eq!(facts.imports[0].statement, facts.imports[1].statement);
}

#[test]
fn cm_34_exports_say_what_others_see() {
    let facts = typescript(
        "export const a = 1, { b } = c; export function d(): void; export function d() {} export class E {}\n\
         export interface F {} export type G = 1; const h = 1; export { h as i, h as default }; export type { F as J };\n\
         export { k } from 'l'; export * from 'm'; export * as n from 'o'; export enum P {} export namespace Q {}",
    );
    assert_eq!(
        exports(&facts),
        [
            "value a - -",
            "value b - -",
            "value d - -",
            "value E - -",
            "type F - -",
            "type G - -",
            "value i h -",
            "value default h - default",
            "type J F -",
            "re-export k - l",
            "re-export * - m",
            "re-export n * o",
            "value P - -",
            "value Q - -",
        ]
    );
    assert!(symbol(&facts, "h").flags.has(SymbolFlags::EXPORTED));
    assert!(facts.exports.iter().any(|it| it.kind == ExportKind::Type));
}

#[test]
fn commonjs_modules_import_and_export() {
    let facts = javascript(
        "const a = require('a'); const { b, c: d } = require('c'); const e = require('f').e; require('g');\n\
         function h(require) { require('not'); }\nmodule.exports = { a, i: h, j() {}, k: 1 };\nexports.l = () => 1; exports.m = h;",
    );
    assert_eq!(
        imports(&facts),
        [
            "a - a dynamic+namespace",
            "c b - dynamic",
            "c c d dynamic",
            "f e - dynamic",
            "g - - dynamic+effect",
        ]
    );
    assert_eq!(
        exports(&facts),
        ["value a - -", "value i h -", "value j - -", "value k - -", "value l - -", "value m h -"]
    );
    assert_eq!(symbol(&facts, "l").kind, SymbolKind::Function);
    assert!(symbol(&facts, "h").flags.has(SymbolFlags::EXPORTED));
    let whole = javascript("module.exports = class A { b() {} };");
    assert_eq!(exports(&whole), ["value default A - default"]);
    assert!(symbol(&whole, "A").flags.has(SymbolFlags::DEFAULT_EXPORT));
    let unnamed = javascript("module.exports = function (app) {};");
    assert_eq!(exports(&unnamed), ["value default exports - default"]);
    assert!(!unnamed.has_side_effects && unnamed.imports.is_empty());
    assert!(facts.imports.iter().all(|it| it.flags.has(ImportFlags::DYNAMIC)));
    let chained = javascript(
        "exports.a = exports.b = void 0; exports = module.exports = make; function make() {} exports.b = exports.c = make;",
    );
    assert_eq!(
        exports(&chained),
        ["value default make - default", "value b make -", "value c make -"]
    );
    assert_eq!(chained.symbols.len(), 1);
}

#[test]
fn barrels_and_effects_are_told_apart() {
    assert!(typescript("export * from './a'; import { b } from './b'; export { b };").is_barrel);
    assert!(!typescript("export * from './a'; export const b = 1;").is_barrel);
    assert!(!typescript("import './a';").is_barrel);
    assert!(typescript("start();").has_side_effects);
    assert!(
        !typescript("'use strict'; import './a'; export function f() { g(); }").has_side_effects
    );
}

#[test]
fn cm_36_components_are_capital_functions_with_markup_or_hooks() {
    let facts = tsx(
        "type P = { a: string };\nexport function View({ a }: P) { return <div>{a}</div> }\n\
         const Hooked = () => { const [x] = useState(0); return x; };\nfunction helper() { return <b /> }\n\
         function Plain() { return 1 }\nconst Wrapped = memo((props: P) => <View {...props} />);\n\
         const Typed: React.FC<P> = ({ a }) => <i>{a}</i>;\nclass Old extends Component { render() { return <u /> } }",
    );
    let components: Vec<(&str, Option<&str>, usize)> = facts
        .components
        .iter()
        .map(|it| {
            let name = facts.symbols[it.symbol as usize].qualified_name.as_str();
            (name, it.props_type.as_deref(), it.hooks.len())
        })
        .collect();
    assert_eq!(
        components,
        [
            ("View", Some("P"), 0),
            ("Hooked", None, 1),
            ("Wrapped", Some("P"), 0),
            ("Typed", Some("P"), 0),
            ("Old", None, 0),
        ]
    );
    assert!(symbol(&facts, "helper").flags.has(SymbolFlags::MARKUP));
}

#[test]
fn elements_with_capital_names_are_calls() {
    let facts = tsx("const a = <Foo.Bar x={y}><Baz /><div /></Foo.Bar>;");
    assert_eq!(references(&facts), ["read Foo", "call Bar on Foo", "read y", "call Baz"]);
    assert!(!reference(&facts, Role::Call, "Baz").flags.has(ReferenceFlags::CONSTRUCT));
}

#[test]
fn terms_know_what_they_stand_for() {
    let facts = typescript("class Alpha {\n  beta = 'gamma';\n  delta() {}\n  #eps;\n}\n// zeta\n");
    let of = |name: &str| {
        let found = facts.occurrences.iter().find(|it| facts.name(it.name) == name);
        found.map(|it| (it.line, it.line_type))
    };
    assert_eq!(of("Alpha"), Some((1, LineType::Struct)));
    assert_eq!(of("beta"), Some((2, LineType::Property)));
    assert_eq!(of("gamma"), Some((2, LineType::String)));
    assert_eq!(of("delta"), Some((3, LineType::Method)));
    assert_eq!(of("eps"), Some((4, LineType::Property)));
    assert_eq!(of("zeta"), Some((6, LineType::Comment)));
}

#[test]
fn a_byte_order_mark_and_wide_characters_do_not_shift_anything() {
    let text = "\u{feff}/** Öl */\nexport const größe = '→', größer = größe;\r\nclass Ä { é() {} }";
    let facts = typescript(text);
    for it in &facts.symbols {
        assert_eq!(it.name_span.slice(text), facts.name(it.name));
    }
    assert_eq!(facts.header.as_deref(), Some("Öl"));
    assert_eq!(facts.references.len(), 1);
    assert!(text[facts.references[0].start as usize..].starts_with("größe"));
}

#[test]
fn broken_files_are_left_to_the_other_parser() {
    let facts = facts_of("src/file.ts", "function ( { class");
    assert_eq!(facts.problems.first().map(|it| it.kind), Some(ProblemKind::Fallback));
    let empty = typescript("");
    assert_eq!((empty.scopes.len(), empty.symbols.len()), (1, 0));
    let doubled = facts_of("src/file.ts", "let a = 1;\nlet a = 2;");
    assert_eq!(doubled.problems.first().map(|it| it.kind), Some(ProblemKind::Syntax));
    assert_eq!(doubled.position(doubled.problems[0].start).0, 1);
    assert_eq!(doubled.symbols.len(), 2);
}

#[test]
fn flow_that_reads_as_typescript_is_read_so() {
    let facts = javascript(
        "// @flow\nimport type { A } from 'a';\nexport function f(a: ?A, b?: string): void {}",
    );
    assert_eq!(symbol(&facts, "f").kind, SymbolKind::Function);
    assert!(facts.imports[0].flags.has(ImportFlags::TYPE_ONLY));
}

#[test]
fn flow_that_is_no_typescript_is_read_where_it_can_be_written_so() {
    let text = "// @flow\nimport typeof Store from './store';\nexport opaque type Id = string;\n\
         opaque type Key = Id;\n\
         type Entry<+T: Iterable<any>> = {| +key: Key, -value?: T, ... |};\n\
         type More = {name: string, ...};\n\
         export function f(a: Entry<Id>, b: mixed): boolean %checks { return typeof a === 'x' }\n";
    let facts = javascript(text);
    assert_eq!(facts.problems, []);
    assert_eq!(imports(&facts), ["./store default Store type_only+default"]);
    for (name, kind) in [
        ("Id", SymbolKind::TypeAlias),
        ("Key", SymbolKind::TypeAlias),
        ("Entry", SymbolKind::TypeAlias),
        ("More", SymbolKind::TypeAlias),
        ("f", SymbolKind::Function),
    ] {
        let found = symbol(&facts, name);
        assert_eq!(found.kind, kind, "{name}");
        // The copy that was read moved nothing, and what is shown is what is written.
        assert_eq!(text[found.name_span.start as usize..].find(name), Some(0), "{name}");
    }
    let uses = |name| facts.references.iter().filter(|it| facts.names.get(it.name) == name).count();
    assert_eq!((uses("Iterable"), uses("Entry"), uses("Key")), (1, 1, 1));
    assert_eq!(symbol(&facts, "f").signature.matches("%checks").count(), 1);
}

#[test]
fn flow_that_cannot_be_written_as_typescript_is_left_to_the_other_parser() {
    for text in ["// @flow\nconst a = (b.c: any);", "// @flow\ntype F = string => void;"] {
        let facts = facts_of("src/file.js", text);
        assert_eq!(facts.problems.first().map(|it| it.kind), Some(ProblemKind::Fallback), "{text}");
    }
    // Without the sign of Flow, nothing is mended.
    let facts = facts_of("src/file.js", "opaque type Id = string;");
    assert_eq!(facts.problems.first().map(|it| it.kind), Some(ProblemKind::Fallback));
}

#[test]
fn scripts_that_no_module_may_be_are_read() {
    let facts = javascript("with (a) { b() }\nvar await = 010;\nif (c) return;");
    assert_eq!(symbol(&facts, "await").kind, SymbolKind::Var);
}
