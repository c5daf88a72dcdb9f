//! What a file defines.

use super::*;
use model::{SymbolFlags, SymbolKind, Visibility};

#[test]
fn cm_24_every_kind_of_symbol_is_found_with_lines_from_one() {
    let facts = typescript(
        "function a() {}\nconst b = 1;\nlet c;\nclass D { e = 1; f() {} get g() { return 1 } \
         set g(v) {} constructor() {} }\ninterface H { i: string; j(): void }\nenum K { L }\n\
         type M = string;\nnamespace N {}\ndeclare module 'o' {}\nconst p = () => 1;\n\
         const q = function () {};\nconst r = class {};",
    );
    let kinds: Vec<(SymbolKind, &str)> =
        facts.symbols.iter().map(|it| (it.kind, it.qualified_name.as_str())).collect();
    assert_eq!(
        kinds,
        [
            (SymbolKind::Function, "a"),
            (SymbolKind::Const, "b"),
            (SymbolKind::Var, "c"),
            (SymbolKind::Class, "D"),
            (SymbolKind::Field, "D.e"),
            (SymbolKind::Method, "D.f"),
            (SymbolKind::Getter, "D.g"),
            (SymbolKind::Setter, "D.g"),
            (SymbolKind::Constructor, "D.constructor"),
            (SymbolKind::Interface, "H"),
            (SymbolKind::Property, "H.i"),
            (SymbolKind::Method, "H.j"),
            (SymbolKind::Enum, "K"),
            (SymbolKind::EnumMember, "K.L"),
            (SymbolKind::TypeAlias, "M"),
            (SymbolKind::Namespace, "N"),
            (SymbolKind::Module, "o"),
            (SymbolKind::Function, "p"),
            (SymbolKind::Function, "q"),
            (SymbolKind::Class, "r"),
        ]
    );
    assert_eq!(facts.position(symbol(&facts, "a").span.start), (1, 1));
    assert_eq!(symbol(&facts, "D.g").ordinal, 0);
}

#[test]
fn cm_25_signatures_are_one_line_without_body_and_export() {
    for (text, name, signature) in [
        (
            "export function identity<T>(val: T): T { return val }",
            "identity",
            "function identity<T>(val: T): T",
        ),
        (
            "export interface Repo<T> extends Iterable<T> {}",
            "Repo",
            "interface Repo<T> extends Iterable<T>",
        ),
        (
            "@D() export class Store<T> extends Base<T> implements IStore<T> {}",
            "Store",
            "class Store<T> extends Base<T> implements IStore<T>",
        ),
        (
            "class A { async run(\n  id: string, // which\n): Promise<void> {} }",
            "A.run",
            "async run(id: string): Promise<void>",
        ),
        ("export const f = async <T,>(a: T) => a", "f", "const f = async <T,>(a: T)"),
        ("export default function () {}", "default", "function ()"),
        ("type A<T> = T extends string ? 1 : 2;", "A", "type A<T> = T extends string ? 1 : 2"),
        ("export declare abstract class B { abstract c(): void; }", "B.c", "abstract c(): void"),
    ] {
        let facts = typescript(text);
        assert_eq!(symbol(&facts, name).signature, signature, "{text}");
    }
}

#[test]
fn cm_26_enum_members_have_a_value_only_where_one_is_written() {
    let facts = typescript("enum A { B, C = 'c', D = 1 << 2, E = -1, 'F-G' = `h` }");
    let values: Vec<(&str, Option<&str>)> = facts.symbols[1..]
        .iter()
        .map(|it| (it.qualified_name.as_str(), it.value.as_deref()))
        .collect();
    assert_eq!(
        values,
        [
            ("A.B", None),
            ("A.C", Some("c")),
            ("A.D", Some("1 << 2")),
            ("A.E", Some("-1")),
            ("A.F-G", Some("h")),
        ]
    );
}

#[test]
fn cm_27_docs_lose_their_stars_and_keep_their_tags() {
    let facts = typescript(
        "/**\n * Adds.\n *\n * @param a one\n */\nexport function add(a) {}\n\n\
         // no docs\nfunction plain() {}\n/** far */\n\nfunction far() {}\n\
         class C { a = 1; /** of a */\n  b = 2;\n  /** of c */ c = 3; }\n\
         /** near */\n// eslint-disable-next-line\n@D class E {}",
    );
    assert_eq!(symbol(&facts, "add").docs.as_deref(), Some("Adds.\n\n@param a one"));
    for name in ["plain", "far", "C.b"] {
        assert_eq!(symbol(&facts, name).docs, None, "{name}");
    }
    assert_eq!(symbol(&facts, "C.c").docs.as_deref(), Some("of c"));
    assert_eq!(symbol(&facts, "E").docs.as_deref(), Some("near"));
}

#[test]
fn cm_28_only_literal_constants_have_a_value() {
    let facts = typescript(
        "const s = 'text', n = 1.5, t = true, z = null, c = 'x' as const, q = `plain`, m = -2;\n\
         const call = f(), sum = 1 + 2, list = [1], hole = `${s}`, cast = 'x' as string;\nlet v = 1;",
    );
    for (name, value) in [
        ("s", "text"),
        ("n", "1.5"),
        ("t", "true"),
        ("z", "null"),
        ("c", "x"),
        ("q", "plain"),
        ("m", "-2"),
    ] {
        assert_eq!(symbol(&facts, name).value.as_deref(), Some(value), "{name}");
    }
    for name in ["call", "sum", "list", "hole", "cast", "v"] {
        assert_eq!(symbol(&facts, name).value, None, "{name}");
    }
}

#[test]
fn cm_29_owners_are_the_symbols_around() {
    let facts = typescript(
        "function a() { const local = 1; function b() { class C { d() {} } } return () => { const e = () => 1; } }",
    );
    let owners: Vec<(&str, Option<u32>)> =
        facts.symbols.iter().map(|it| (it.qualified_name.as_str(), it.owner)).collect();
    assert_eq!(
        owners,
        [("a", None), ("a.b", Some(0)), ("a.b.C", Some(1)), ("a.b.C.d", Some(2)), ("a.e", Some(0))]
    );
}

#[test]
fn cm_30_visibility_is_said_by_modifiers_private_names_and_tags() {
    let facts = typescript(
        "class A { private a; protected b; public c; d; #e; /** @internal */ f; \
         constructor(private readonly g: string) {} }\n/** Speaks of @public things. */ function h() {}",
    );
    for (name, visibility) in [
        ("A.a", Some(Visibility::Private)),
        ("A.b", Some(Visibility::Protected)),
        ("A.c", Some(Visibility::Public)),
        ("A.d", None),
        ("A.#e", Some(Visibility::Private)),
        ("A.f", Some(Visibility::Internal)),
        ("A.g", Some(Visibility::Private)),
        ("h", None),
    ] {
        assert_eq!(symbol(&facts, name).visibility, visibility, "{name}");
    }
}

#[test]
fn cm_31_complexity_counts_every_decision() {
    for (text, expected) in [
        ("", 1),
        ("if (a) {}", 2),
        ("if (a) {} else if (b) {} else {}", 3),
        ("while (a) {} do {} while (b);", 3),
        ("for (;;) {} for (const k in a) {} for (const v of a) {}", 4),
        ("switch (a) { case 1: case 2: break; default: }", 3),
        ("return (a && b || c) ?? d", 4),
        ("return a ? b : c", 2),
        ("try {} catch {} finally {}", 2),
        ("a?.b; a ||= b;", 1),
    ] {
        assert_eq!(metrics(text).cyclomatic, expected, "{text}");
    }
    let facts = typescript("class A { m() { if (x) {} } get g() { return x || y } }");
    assert_eq!(symbol(&facts, "A.m").metrics.map(|it| it.cyclomatic), Some(2));
    assert_eq!(symbol(&facts, "A.g").metrics.map(|it| it.cyclomatic), Some(2));
    assert_eq!(symbol(&facts, "A").metrics, None);
}

#[test]
fn cognitive_complexity_grows_with_nesting() {
    for (text, expected) in [
        ("if (a) { if (b) { if (c) {} } }", 1 + 2 + 3),
        ("if (a) {} else if (b) {} else {}", 3),
        ("if (a) {} else { if (b) {} }", 1 + 1 + 2),
        ("switch (a) { case 1: if (b) {} break; case 2: }", 1 + 2),
        ("return a && b && c", 1),
        ("return a && b || c && d", 3),
        ("return a || b && c || d", 3),
        ("return a && (b && c)", 1),
        ("return a && !(b && c)", 2),
        ("try {} catch { if (a) {} }", 1 + 2),
        ("x: for (;;) { continue x; }", 2),
        ("a.map(() => { if (b) {} })", 2),
        ("return a ? b ? 1 : 2 : 3", 1 + 2),
    ] {
        assert_eq!(metrics(text).cognitive, expected, "{text}");
    }
}

#[test]
fn nested_functions_count_where_they_are_symbols() {
    let facts =
        typescript("function a() { const b = () => x ? 1 : 2; return () => { if (x) {} } }");
    let of = |name| symbol(&facts, name).metrics.expect("a function");
    assert_eq!((of("a").cyclomatic, of("a.b").cyclomatic), (2, 2));
    let counted = metrics("for (;;) { if (a!) { return } throw b } break_; c!.d!()");
    assert_eq!((counted.returns, counted.loops, counted.branches), (2, 1, 1));
    assert_eq!((counted.unchecked_calls, counted.max_nesting, counted.parameters), (3, 2, 4));
    let asserted = metrics("expect(a).toBe(expect.any(b)); assert(a); assert.ok(a); assertSame(a)");
    assert_eq!(asserted.assertions, 4);
}

#[test]
fn cm_33_members_of_types_have_their_type_and_modifiers() {
    let facts = typescript(
        "type A = { readonly b?: string[]; c(d: number): void } & { e: F };\n\
         interface G { h?(): Promise<A>; 'i-j': { k: string } }",
    );
    let b = symbol(&facts, "A.b");
    assert!(b.flags.has(SymbolFlags::OPTIONAL) && b.flags.has(SymbolFlags::READONLY));
    assert_eq!(b.declared_type.map(|name| facts.name(name)), Some("string[]"));
    assert_eq!(symbol(&facts, "A.c").kind, SymbolKind::Method);
    assert_eq!(symbol(&facts, "A.e").kind, SymbolKind::Property);
    assert!(symbol(&facts, "G.h").flags.has(SymbolFlags::OPTIONAL));
    assert_eq!(symbol(&facts, "G.h").declared_type.map(|it| facts.name(it)), Some("Promise<A>"));
    assert_eq!(facts.name(symbol(&facts, "G.i-j").name), "i-j");
    assert_eq!(facts.symbols.len(), 7);
}

#[test]
fn spans_hold_the_whole_definition_and_exactly_the_name() {
    let text = "  @A() export default class B {\n  @C private static d?: E = f;\n}\nexport const g = 1, h = 2;";
    let facts = typescript(text);
    let slices = |name: &str| {
        let it = symbol(&facts, name);
        (it.span.slice(text), it.name_span.slice(text))
    };
    assert_eq!(slices("B"), (text[2..].split_once("\nexport const").expect("both").0, "B"));
    assert_eq!(slices("B.d"), ("@C private static d?: E = f;", "d"));
    assert_eq!(slices("g"), ("g = 1", "g"));
    assert_eq!(symbol(&facts, "B").decorators, ["@A()"]);
    assert_eq!(symbol(&facts, "B.d").decorators, ["@C"]);
    let anonymous = "export  default async () => { await 1 }";
    let facts = typescript(anonymous);
    let it = symbol(&facts, "default");
    assert_eq!((it.name_span.slice(anonymous), it.span.slice(anonymous)), ("default", anonymous));
    assert_eq!(it.body.expect("a body").slice(anonymous), "{ await 1 }");
    assert!(it.flags.has(SymbolFlags::ASYNC) && it.flags.has(SymbolFlags::DEFAULT_EXPORT));
}

#[test]
fn flags_say_what_modifiers_say() {
    let facts = typescript(
        "declare function a(): void; function b(): void; function b() {}\n\
         abstract class C { static async *d() {} abstract e(): void; override f() {} g?(): void; \
         declare h: string; accessor i = 1 }\nfunction* j() {}\nexport { j as default };",
    );
    let has = |name: &str, flag| symbol(&facts, name).flags.has(flag);
    assert!(has("a", SymbolFlags::DECLARATION) && has("b", SymbolFlags::DECLARATION));
    assert!(!facts.symbols[2].flags.has(SymbolFlags::DECLARATION));
    assert!(has("C", SymbolFlags::ABSTRACT) && has("C.e", SymbolFlags::ABSTRACT));
    for flag in [SymbolFlags::STATIC, SymbolFlags::ASYNC, SymbolFlags::GENERATOR] {
        assert!(has("C.d", flag));
    }
    assert!(has("C.f", SymbolFlags::OVERRIDE) && has("C.g", SymbolFlags::OPTIONAL));
    assert!(has("C.h", SymbolFlags::DECLARATION));
    assert_eq!(symbol(&facts, "C.i").kind, SymbolKind::Field);
    assert!(has("j", SymbolFlags::EXPORTED) && has("j", SymbolFlags::DEFAULT_EXPORT));
}

#[test]
fn tests_are_symbols_called_by_their_title() {
    let facts = javascript(
        "describe('a', () => { it(`b`, async () => { if (x) {} }); test.each`t`('c %s', f); \
         it(title, () => {}); it(`d ${x}`, () => {}); });\n\
         const pattern = /a/; pattern.test('e', 1); function test2() {} it.todo('f');",
    );
    let tests: Vec<&str> = facts
        .symbols
        .iter()
        .filter(|it| it.kind == SymbolKind::Test)
        .map(|it| it.qualified_name.as_str())
        .collect();
    assert_eq!(tests, ["a", "a.b", "a.c %s", "f"]);
    assert_eq!(symbol(&facts, "a.b").metrics.map(|it| it.cyclomatic), Some(2));
    assert!(symbol(&facts, "a.b").flags.has(SymbolFlags::ASYNC));
    let own = javascript("function it(a, b) {} it('no test', () => {});");
    assert!(own.symbols.iter().all(|it| it.kind != SymbolKind::Test));
}

#[test]
fn objects_of_the_module_have_members_and_others_have_functions() {
    let facts = typescript(
        "export const api = { get() {}, post: async () => {}, url: 'x', deep: { run() {}, data: 1 } } as const;\n\
         function f() { const local = { inner() {}, size: 1 }, data = { size: 1 }, typed: T = { run() {} }; }\n\
         export default { name: 'n', setup() {} };",
    );
    let kinds: Vec<(SymbolKind, &str)> =
        facts.symbols.iter().map(|it| (it.kind, it.qualified_name.as_str())).collect();
    assert_eq!(
        kinds,
        [
            (SymbolKind::Const, "api"),
            (SymbolKind::Method, "api.get"),
            (SymbolKind::Method, "api.post"),
            (SymbolKind::Property, "api.url"),
            (SymbolKind::Property, "api.deep"),
            (SymbolKind::Method, "api.deep.run"),
            (SymbolKind::Function, "f"),
            (SymbolKind::Const, "f.local"),
            (SymbolKind::Method, "f.local.inner"),
            (SymbolKind::Const, "default"),
            (SymbolKind::Property, "default.name"),
            (SymbolKind::Method, "default.setup"),
        ]
    );
}

#[test]
fn functions_behind_a_cast_are_functions() {
    let facts =
        typescript("const f = (async (a) => a) as Handler; const g = ((b) => b) satisfies G;");
    assert_eq!(symbol(&facts, "f").kind, SymbolKind::Function);
    assert_eq!(symbol(&facts, "g").signature, "const g = ((b))");
    assert_eq!(references(&facts), ["type Handler", "read a", "type G", "read b"]);
}

#[test]
fn objects_in_fields_have_methods_only() {
    let facts = typescript(
        "class A { methods = { load: { async users() { if (x) {} } }, name: 'n' }; data = { b: 1 }; }",
    );
    let names: Vec<&str> = facts.symbols.iter().map(|it| it.qualified_name.as_str()).collect();
    assert_eq!(names, ["A", "A.methods", "A.methods.users", "A.data"]);
    assert_eq!(symbol(&facts, "A.methods.users").metrics.map(|it| it.cyclomatic), Some(2));
}

#[test]
fn assignments_define_members_in_javascript() {
    let facts = javascript(
        "class A { b = 1; constructor(c) { this.b = 2; this.d = new E(c); this.d = 3; } f() { this.g = 1; } }\n\
         function H() {}\nH.prototype.i = function () {};\nH.j = () => 1;",
    );
    let names: Vec<&str> = facts.symbols.iter().map(|it| it.qualified_name.as_str()).collect();
    assert_eq!(names, ["A", "A.b", "A.constructor", "A.d", "A.f", "A.g", "H", "H.i", "H.j"]);
    let Base::Reference(number) = symbol(&facts, "A.d").origin.base else { panic!("no origin") };
    assert_eq!(name_of(&facts, number), "E");
    let typed = typescript("class A extends B { constructor() { super(); this.c = 1; } }");
    assert_eq!(typed.symbols.len(), 2);
}

#[test]
fn objects_that_can_do_something_are_defined_where_they_are_assigned() {
    let facts = javascript(
        "import shop from './shop.js';\n\
         shop.events = { open: true, sell() {}, hooks: { late: function () {} } };\n\
         shop.colours = { red: 1 };\n\
         function Till() {}\nTill.keys = { total: { press() {} } };\n\
         Date.prototype.isLate = function () {};\n\
         (function ($) { $.fn.sale = function () {}; })(jQuery);\n\
         function start(page) { page.onload = function () {}; page.parts = { show() {} }; }",
    );
    let names: Vec<&str> = facts.symbols.iter().map(|it| it.qualified_name.as_str()).collect();
    assert_eq!(
        names,
        [
            "shop.events",
            "shop.events.open",
            "shop.events.sell",
            "shop.events.hooks",
            "shop.events.hooks.late",
            "Till",
            "Till.keys",
            "Till.keys.total",
            "Till.keys.total.press",
            "Date.isLate",
            "$.fn.sale",
            "start",
        ]
    );
}

#[test]
fn classes_and_other_names_are_defined_where_they_are_assigned() {
    let facts = javascript(
        "const run = require('./run');\nconst internals = {};\n\
         exports = module.exports = internals.Core = class { start() {} };\n\
         internals.Core.Part = class {};\nlib.Other = class Named {};\n\
         internals.Core.prototype.run = run.fast;\ninternals.count = 1;\n\
         function later(core) { core.Part = class { lost() {} }; internals.late = core; }",
    );
    let names: Vec<(SymbolKind, &str)> =
        facts.symbols.iter().map(|it| (it.kind, it.qualified_name.as_str())).collect();
    assert_eq!(
        names,
        [
            (SymbolKind::Const, "internals"),
            (SymbolKind::Class, "internals.Core"),
            (SymbolKind::Method, "internals.Core.start"),
            (SymbolKind::Class, "internals.Core.Part"),
            (SymbolKind::Class, "lib.Other"),
            (SymbolKind::Property, "internals.Core.run"),
            (SymbolKind::Function, "later"),
            (SymbolKind::Method, "later.lost"),
        ]
    );
    let whole = facts.exports.iter().find(|it| it.is_default).expect("a default export");
    assert_eq!(whole.local.map(|name| facts.names.get(name)), Some("internals.Core"));
}

#[test]
fn functions_that_construct_have_fields_and_prototypes() {
    let facts = javascript(
        "function Shop(b) { this.books = b; }\n\
         Shop.prototype = { sell() { this.sold = new Set(); }, open: true };\n\
         function Kiosk() {}\nKiosk.prototype = Object.create(Shop.prototype);\n\
         const tools = {};\ntools.wrap = function () {};",
    );
    let names: Vec<&str> = facts.symbols.iter().map(|it| it.qualified_name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Shop",
            "Shop.books",
            "Shop.sell",
            "Shop.sold",
            "Shop.open",
            "Kiosk",
            "tools",
            "tools.wrap"
        ]
    );
    let parent = reference(&facts, Role::Extends, "Shop");
    assert_eq!(
        parent.symbol.map(|it| facts.symbols[it as usize].qualified_name.as_str()),
        Some("Kiosk")
    );
    assert!(!symbol(&facts, "tools.wrap").flags.has(SymbolFlags::STATIC));
}

#[test]
fn a_field_without_a_type_is_what_the_constructor_assigns() {
    let facts =
        typescript("class A { private b; c: C; constructor() { this.b = new B(); this.c = x; } }");
    let Base::Reference(number) = symbol(&facts, "A.b").origin.base else { panic!("no origin") };
    assert_eq!(name_of(&facts, number), "B");
    assert_eq!(symbol(&facts, "A.c").origin, Origin::default());
}

#[test]
fn a_blank_variable_is_what_it_is_assigned_first() {
    let facts = typescript(
        "let shop; setUp(() => { shop = new Shop(); shop = null; });\n\
         function f() { let a, b: B; a = null; a = g(); a = h(); b = g(); }",
    );
    let Base::Reference(number) = symbol(&facts, "shop").origin.base else { panic!("no origin") };
    assert_eq!(name_of(&facts, number), "Shop");
    assert_eq!(bindings(&facts), ["variable a = g", "variable b: B"]);
}

#[test]
fn classes_in_objects_are_classes() {
    let facts = javascript("module.exports = { Box: class { open() {} }, Lid: class Cover {} };");
    assert_eq!(symbol(&facts, "Box").kind, SymbolKind::Class);
    assert_eq!(symbol(&facts, "Box.open").kind, SymbolKind::Method);
    assert_eq!(symbol(&facts, "Lid").kind, SymbolKind::Class);
}
