//! Types of many languages, taken apart.

use super::{Written, applied, parse};

fn shown(written: &Written<'_>) -> String {
    let list = |all: &[Written<'_>]| all.iter().map(shown).collect::<Vec<_>>().join(",");
    match written {
        Written::Unknown => "_".to_owned(),
        Written::Path(parts) | Written::Inner(parts, _) => parts.join("."),
        Written::Apply(base, arguments) => format!("{}<{}>", shown(base), list(arguments)),
        Written::Tuple(all) => format!("({})", list(all)),
        Written::ValueOf(parts) => format!("typeof {}", parts.join(".")),
        Written::Function(returns) => format!("->{}", shown(returns)),
        Written::Union(all) => all.iter().map(shown).collect::<Vec<_>>().join("|"),
        Written::Object(parts) => {
            let parts = parts.iter().map(|(name, part)| format!("{name}:{}", shown(part)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(","))
        }
    }
}

#[test]
fn parents_are_found_with_their_arguments() {
    for (signature, name, meant) in [
        ("class A extends B<C, D<E>> implements F<G>", "F", "F<G>"),
        ("class A extends B<C, D<E>> implements F<G>", "B", "B<C,D<E>>"),
        ("class A<T extends B<T>> extends B<C>", "B", "B<C>"),
        ("class A<T extends B<T>> extends C", "B", ""),
        ("class A : B", "B", ""),
    ] {
        let found = applied(signature, name).map(|text| shown(&parse(text)));
        assert_eq!(found.unwrap_or_default(), meant, "{signature} {name}");
    }
}

#[test]
fn types_of_many_languages_are_taken_apart() {
    for (text, meant) in [
        ("Foo", "Foo"),
        ("pkg.Foo", "pkg.Foo"),
        ("*pkg.Foo", "pkg.Foo"),
        ("&'a mut Foo<Bar>", "Foo<Bar>"),
        ("[]Foo", "_<Foo>"),
        ("[]*Foo", "_<Foo>"),
        ("map[string]*Foo", "_<Foo>"),
        ("(int, error)", "(int,error)"),
        ("(count int, err error)", "(int,error)"),
        ("list[Node]", "list<Node>"),
        ("Foo | None", "Foo|None"),
        ("Optional[Foo]", "Optional<Foo>"),
        ("dict[str, list[Foo]]", "dict<str,list<Foo>>"),
        ("Foo[]", "_<Foo>"),
        ("Promise<Foo | undefined>", "Promise<Foo|undefined>"),
        ("(a: A, b: B) => C", "->C"),
        ("fn(A) -> B", "->B"),
        ("func(a int) error", "->error"),
        ("Box<dyn Foo + Send>", "Box<Foo|Send>"),
        ("impl Iterator<Item = Foo>", "Iterator<Foo>"),
        ("Foo?", "Foo"),
        ("[Foo]", "_<Foo>"),
        ("[String: Foo]", "_<Foo>"),
        ("[u8; 4]", "_<u8>"),
        ("const std::string&", "std.string"),
        ("struct foo *", "foo"),
        ("Outer<A>.Inner", "Outer.Inner"),
        ("\\App\\Models\\User", "App.Models.User"),
        ("?Foo", "Foo"),
        ("Callable[[int], Foo]", "Callable<_<int>,Foo>"),
        ("{ a: B }", "{a:B}"),
        ("{ readonly a?: B; 'c-d': E[], f(g: H): I; [key: string]: J }", "{a:B,c-d:_<E>,f:->I}"),
        ("{ a: { b: C } } & D", "{a:{b:C}}|D"),
        ("Promise<{ a: B }>[]", "_<Promise<{a:B}>>"),
        ("struct { a B }", "_"),
        ("{}", "_"),
        ("{ a: B", "{a:B}"),
        ("import('./a')", "./a"),
        ("import(\"./a\").B | C", "B|C"),
        ("readonly Foo[]", "_<Foo>"),
        ("Class<? extends Throwable>", "Class<Throwable>"),
        ("", "_"),
        ("<<<", "_"),
        ("a.b.", "a.b"),
        ("\"Foo\"", "Foo"),
        ("'list[Foo]'", "list<Foo>"),
    ] {
        assert_eq!(shown(&parse(text)), meant, "{text}");
    }
}
