//! What a file uses, and the names it binds.

use super::*;
use model::{BindingKind, ReferenceFlags, TypePosition};

#[test]
fn receivers_say_what_stands_before_the_dot() {
    let facts = typescript(
        "a.b().c(); this.d(); 'x'.e(); [1].f(); (await g).h; i[0].j; k!.l(); m?.n?.(); new O().p(); (q as R).s();",
    );
    assert_eq!(
        references(&facts),
        [
            "read a",
            "call b on a",
            "call c on b",
            "call d on This",
            "call e on Literal(String)",
            "call f on Literal(List)",
            "read g",
            "read h on g Awaited",
            "read i",
            "read j on i Element",
            "read k",
            "call l on k Unwrapped",
            "read m",
            "call n on m",
            "call O",
            "call p on O",
            "read q",
            "type R",
            "call s on <R>",
        ]
    );
    let n = reference(&facts, Role::Call, "n");
    assert!(n.flags.has(ReferenceFlags::OPTIONAL_CHAIN) && n.flags.has(ReferenceFlags::MEMBER));
    assert!(reference(&facts, Role::Call, "O").flags.has(ReferenceFlags::CONSTRUCT));
    assert_eq!(n.arguments, Some(0));
}

#[test]
fn cm_32_calls_know_the_symbol_they_stand_in() {
    let facts = typescript(
        "class User { run() { go(); go(); obj.method(); this.method(); } }\nclass Other { run() { go() } }\ngo();",
    );
    let places: Vec<Option<&str>> = facts
        .references
        .iter()
        .filter(|it| facts.name(it.name) == "go")
        .map(|it| it.symbol.map(|symbol| facts.symbols[symbol as usize].qualified_name.as_str()))
        .collect();
    assert_eq!(places, [Some("User.run"), Some("User.run"), Some("Other.run"), None]);
}

#[test]
fn reads_of_local_names_stay_only_where_something_builds_on_them() {
    let facts = typescript(
        "const outer = 1; function f(a, b) { const c = a; let d = 1; d = 2; b.g(); call(a, outer, h); \
         return { a, outer }; } function h<T>(x: T): T { return x; }",
    );
    assert_eq!(
        references(&facts),
        ["read a", "read b", "call g on b", "call call", "read outer", "read h", "read outer"]
    );
    assert_eq!(
        bindings(&facts),
        [
            "parameter a",
            "parameter b",
            "constant c = a",
            "variable d = Literal(Number)",
            "type_parameter T",
            "parameter x: T",
        ]
    );
}

#[test]
fn uses_of_every_role_are_found() {
    let facts = typescript(
        "@Deco(1) class A extends ns.Base<T> implements I, J.K { @ns.Prop x: typeof value; }\n\
         interface B extends C {}\nexternal = 1; obj.prop += 1; external2++; [p, q.r] = s; delete t.u; tag`x`;",
    );
    assert_eq!(
        references(&facts),
        [
            "decorate Deco",
            "read ns",
            "extends Base on ns",
            "type T",
            "implements I",
            "read J",
            "implements K on J",
            "read ns",
            "decorate Prop on ns",
            "read value",
            "extends C",
            "write external",
            "read obj",
            "write prop on obj",
            "write external2",
            "write p",
            "read q",
            "write r on q",
            "read s",
            "read t",
            "read u on t",
            "call tag",
        ]
    );
}

#[test]
fn type_uses_know_their_place_in_the_declaration() {
    let facts = typescript(
        "function f(a: A, b: (x: B) => C): D<E> { const g: G = 1; call((h: H): I => h); }\nclass J { k: K; }",
    );
    for (name, position) in [
        ("A", TypePosition::Parameter),
        ("B", TypePosition::Parameter),
        ("C", TypePosition::Parameter),
        ("D", TypePosition::Return),
        ("E", TypePosition::Return),
        ("G", TypePosition::Declared),
        ("H", TypePosition::Other),
        ("I", TypePosition::Other),
        ("K", TypePosition::Declared),
    ] {
        assert_eq!(reference(&facts, Role::Type, name).position, position, "{name}");
    }
}

#[test]
fn bindings_know_where_their_value_comes_from() {
    let facts = typescript(
        "async function f({ a, b: [c] }: P, d = new D(), ...e: E[]) {\n\
         const { g, h: { i } } = await load(); const [j, k] = useState(0); for (const l of items()) {}\n\
         for (const m in d) {} try {} catch (n) {} const o = p.q(); const r = x ?? new S(); const t = u as V; }",
    );
    assert_eq!(
        bindings(&facts),
        [
            "parameter { a, b: [c] }: P",
            "pattern a = <P>.a",
            "pattern c = b Position(0)",
            "parameter d = D",
            "parameter e: E[]",
            "constant g = load.g",
            "constant i = h.i",
            "constant j = useState Position(0)",
            "constant k = useState Position(1)",
            "pattern l = items Element",
            "pattern m = Literal(String)",
            "pattern n",
            "constant o = q",
            "constant r = x",
            "constant t = <V>",
        ]
    );
    let e = facts.bindings.iter().find(|it| facts.name(it.name) == "e").expect("e");
    let d = facts.bindings.iter().find(|it| facts.name(it.name) == "d").expect("d");
    assert!(e.variadic && !e.optional && d.optional && d.symbol == Some(0));
    assert_eq!(facts.symbols[0].metrics.map(|it| it.parameters), Some(3));
    assert!(facts.bindings.iter().all(|it| it.kind != BindingKind::Receiver && it.scope > 0));
}

#[test]
fn hoisted_variables_are_bound_in_their_function() {
    let facts = javascript("function f() { if (a) { var b = 1; let c = 2; } }");
    let scopes: Vec<u32> = facts.bindings.iter().map(|it| it.scope).collect();
    assert_eq!(scopes, [1, 2]);
    assert_eq!(facts.scopes[2].parent, Some(1));
}

#[test]
fn texts_that_are_made_up_are_not_mixed_up() {
    let facts = typescript("function f({ name }: { n: T }) {}\nfunction g({ k }: { x: U }) {}\n");
    let parameters: Vec<(&str, Option<&str>)> = facts
        .bindings
        .iter()
        .filter(|binding| binding.kind == BindingKind::Parameter)
        .map(|binding| (facts.name(binding.name), binding.declared_type.map(|it| facts.name(it))))
        .collect();
    assert_eq!(parameters, [("{ name }", Some("{ n: T }")), ("{ k }", Some("{ x: U }"))]);
}

#[test]
fn types_of_classes_as_values_and_of_this_are_uses() {
    let facts = typescript("const a: Made<B> = class A {};\ninterface I { m(this: Page): void }\n");
    assert_eq!(references(&facts), ["type Made", "type B", "type Page"]);
}
