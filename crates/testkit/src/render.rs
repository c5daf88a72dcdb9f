//! [`FileFacts`] as text, one fact a line, in the order of the file.

use std::fmt::Write;

use model::{Base, FileFacts, NameId, Origin, Step};

/// Everything the facts say, except the terms of plain code and the bytes of spans.
pub fn render(facts: &FileFacts) -> String {
    let mut out = String::new();
    render_file(facts, &mut out);
    render_symbols(facts, &mut out);
    render_imports_and_exports(facts, &mut out);
    render_local_names(facts, &mut out);
    render_references(facts, &mut out);
    render_extras(facts, &mut out);
    render_terms(facts, &mut out);
    out
}

macro_rules! line {
    ($out:expr, $($argument:tt)*) => {
        writeln!($out, $($argument)*).expect("writing to a string cannot fail")
    };
}

fn place(facts: &FileFacts, byte: u32) -> String {
    let (line, column) = facts.position(byte);
    format!("{line}:{column}")
}

fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn render_file(facts: &FileFacts, out: &mut String) {
    let mut flags = Vec::new();
    for (is, word) in [
        (facts.is_test, "test"),
        (facts.is_generated, "generated"),
        (facts.is_barrel, "barrel"),
        (facts.has_side_effects, "side-effects"),
    ] {
        if is {
            flags.push(word);
        }
    }
    line!(out, "file lines={} {}", facts.line_starts.len(), flags.join(" "));
    if let Some(package) = facts.package {
        line!(out, "package {}", facts.name(package));
    }
    if let Some(header) = &facts.header {
        line!(out, "header {}", quoted(header));
    }
}

fn render_symbols(facts: &FileFacts, out: &mut String) {
    for symbol in &facts.symbols {
        let end = facts.position(symbol.span.end.saturating_sub(1)).0;
        let mut text = format!(
            "symbol {}-{} name={} {} {}",
            place(facts, symbol.span.start),
            end,
            place(facts, symbol.name_span.start),
            symbol.kind,
            symbol.qualified_name
        );
        if symbol.ordinal > 0 {
            let _ = write!(text, "#{}", symbol.ordinal);
        }
        if let Some(visibility) = symbol.visibility {
            let _ = write!(text, " {visibility}");
        }
        for word in symbol.flags.words() {
            let _ = write!(text, " {word}");
        }
        line!(out, "{text}");
        line!(out, "  signature {}", symbol.signature);
        if let Some(docs) = &symbol.docs {
            line!(out, "  docs {}", quoted(docs));
        }
        if let Some(name) = symbol.declared_type {
            line!(out, "  type {}", facts.name(name));
        }
        if symbol.origin != Origin::default() {
            line!(out, "  origin {}", origin(facts, symbol.origin));
        }
        if let Some(value) = &symbol.value {
            line!(out, "  value {}", quoted(value));
        }
        for decorator in &symbol.decorators {
            line!(out, "  decorator {}", quoted(decorator));
        }
        if let Some(metrics) = &symbol.metrics {
            line!(
                out,
                "  metrics cyclomatic={} cognitive={} branches={} loops={} returns={} nesting={} \
                 parameters={} lines={} unsafe={} unchecked={} assertions={}",
                metrics.cyclomatic,
                metrics.cognitive,
                metrics.branches,
                metrics.loops,
                metrics.returns,
                metrics.max_nesting,
                metrics.parameters,
                metrics.lines,
                metrics.unsafe_blocks,
                metrics.unchecked_calls,
                metrics.assertions
            );
        }
    }
}

fn render_imports_and_exports(facts: &FileFacts, out: &mut String) {
    let name = |id: Option<NameId>| id.map_or("-", |id| facts.name(id));
    for import in &facts.imports {
        let flags: Vec<&str> = import.flags.words().collect();
        line!(
            out,
            "import {} {} name={} alias={} {}",
            place(facts, import.start),
            quoted(&import.source),
            name(import.name),
            name(import.alias),
            flags.join(" ")
        );
    }
    for export in &facts.exports {
        line!(
            out,
            "export {} {} {} local={} source={}{}",
            place(facts, export.start),
            export.kind,
            facts.name(export.name),
            name(export.local),
            export.source.as_deref().unwrap_or("-"),
            if export.is_default { " default" } else { "" }
        );
    }
}

fn render_local_names(facts: &FileFacts, out: &mut String) {
    for (number, scope) in facts.scopes.iter().enumerate().skip(1) {
        line!(
            out,
            "scope {number} {}-{} {} parent={}{}",
            place(facts, scope.span.start),
            facts.position(scope.span.end.saturating_sub(1)).0,
            scope.kind,
            scope.parent.unwrap_or(0),
            symbol_suffix(facts, scope.symbol, " of ")
        );
    }
    for binding in &facts.bindings {
        let mut text = format!(
            "binding {} {} {} scope={}",
            place(facts, binding.start),
            binding.kind,
            facts.name(binding.name),
            binding.scope
        );
        if binding.optional {
            text.push_str(" optional");
        }
        if binding.variadic {
            text.push_str(" variadic");
        }
        if let Some(name) = binding.declared_type {
            let _ = write!(text, " type={}", quoted(facts.name(name)));
        }
        if binding.origin != Origin::default() {
            let _ = write!(text, " origin={}", origin(facts, binding.origin));
        }
        text.push_str(&symbol_suffix(facts, binding.symbol, " of "));
        line!(out, "{text}");
    }
}

fn render_references(facts: &FileFacts, out: &mut String) {
    let mut arguments = facts.arguments.iter().peekable();
    for (number, reference) in facts.references.iter().enumerate() {
        let mut text = format!(
            "reference {number} {} {} {}",
            place(facts, reference.start),
            reference.role,
            facts.name(reference.name)
        );
        if reference.position != model::TypePosition::Other {
            let _ = write!(text, " as={}", reference.position);
        }
        for word in reference.flags.words() {
            let _ = write!(text, " {word}");
        }
        if let Some(arguments) = reference.arguments {
            let _ = write!(text, " arguments={arguments}");
        }
        if reference.receiver != Origin::default() {
            let _ = write!(text, " receiver={}", origin(facts, reference.receiver));
        }
        let _ = write!(text, " scope={}", reference.scope);
        text.push_str(&symbol_suffix(facts, reference.symbol, " in "));
        line!(out, "{text}");
        while let Some(argument) = arguments.next_if(|it| it.reference == number as u32) {
            line!(out, "  argument {} {}", argument.position, origin(facts, argument.origin));
        }
    }
}

fn render_extras(facts: &FileFacts, out: &mut String) {
    for component in &facts.components {
        let hooks: Vec<&str> = component.hooks.iter().map(|hook| facts.name(*hook)).collect();
        line!(
            out,
            "component {} props={} hooks={}",
            facts.symbols[component.symbol as usize].qualified_name,
            component.props_type.as_deref().unwrap_or("-"),
            hooks.join(",")
        );
    }
    for variable in &facts.styles.variables {
        line!(
            out,
            "css-variable {} {} scope={} value={}",
            place(facts, variable.start),
            facts.name(variable.name),
            quoted(&variable.scope),
            quoted(&variable.value)
        );
    }
    for class in &facts.styles.classes {
        line!(out, "css-class {} {}", place(facts, class.start), facts.name(class.name));
    }
    for frames in &facts.styles.keyframes {
        line!(out, "css-keyframes {} {}", place(facts, frames.start), facts.name(frames.name));
    }
    for marker in &facts.markers {
        line!(out, "marker {} {} {}", marker.line, marker.kind, quoted(&marker.text));
    }
    for suppression in &facts.suppressions {
        line!(out, "suppression {} {}", suppression.line, suppression.recipe);
    }
    for problem in &facts.problems {
        line!(out, "problem {} {} {}", place(facts, problem.start), problem.kind, problem.message);
    }
}

fn render_terms(facts: &FileFacts, out: &mut String) {
    for (line, line_type) in &facts.line_types {
        line!(out, "lines from {line} {line_type}");
    }
    for group in facts.occurrences.chunk_by(|a, b| a.name == b.name) {
        let lines: Vec<String> = group
            .iter()
            .map(|occurrence| match occurrence.line_type {
                model::LineType::Code => occurrence.line.to_string(),
                other => format!("{}{}", occurrence.line, &other.as_str()[..1]),
            })
            .collect();
        line!(out, "term {} {}", facts.name(group[0].name), lines.join(" "));
    }
}

fn symbol_suffix(facts: &FileFacts, symbol: Option<u32>, before: &str) -> String {
    symbol.map_or(String::new(), |index| {
        format!("{before}{}", facts.symbols[index as usize].qualified_name)
    })
}

fn origin(facts: &FileFacts, origin: Origin) -> String {
    let base = match origin.base {
        Base::None => "none".to_owned(),
        Base::Unknown => "unknown".to_owned(),
        Base::This => "this".to_owned(),
        Base::Super => "super".to_owned(),
        Base::Literal(kind) => format!("literal:{kind}"),
        Base::Reference(index) => format!("@{index}"),
        Base::Type(name) => format!("type:{}", quoted(facts.name(name))),
        Base::Local(name) => format!("local:{}", facts.name(name)),
    };
    let step = match origin.step {
        Step::Same => String::new(),
        Step::Awaited => ".awaited".to_owned(),
        Step::Element => ".element".to_owned(),
        Step::Unwrapped => ".unwrapped".to_owned(),
        Step::Member(name) => format!(".member:{}", facts.name(name)),
        Step::Position(position) => format!(".{position}"),
        Step::Entered => ".entered".to_owned(),
        Step::Given(argument, parameter) => format!(".given:{argument}.{parameter}"),
    };
    base + &step
}
