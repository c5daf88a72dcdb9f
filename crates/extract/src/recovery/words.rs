//! What the words of C and C++ are.

/// Words that are a type by themselves.
pub(super) fn is_type(word: &[u8]) -> bool {
    matches!(
        word,
        b"void"
            | b"int"
            | b"char"
            | b"short"
            | b"long"
            | b"float"
            | b"double"
            | b"signed"
            | b"unsigned"
            | b"bool"
            | b"_Bool"
            | b"auto"
            | b"size_t"
            | b"ssize_t"
            | b"int8_t"
            | b"int16_t"
            | b"int32_t"
            | b"int64_t"
            | b"uint8_t"
            | b"uint16_t"
            | b"uint32_t"
            | b"uint64_t"
            | b"intptr_t"
            | b"uintptr_t"
            | b"ptrdiff_t"
            | b"wchar_t"
    )
}

/// Words that a name follows, and perhaps a body.
pub(super) fn is_tag(word: &[u8]) -> bool {
    matches!(word, b"struct" | b"union" | b"enum" | b"class")
}

pub(super) fn is_specifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"static"
            | b"extern"
            | b"inline"
            | b"__inline"
            | b"__inline__"
            | b"__forceinline"
            | b"const"
            | b"volatile"
            | b"register"
            | b"typedef"
            | b"virtual"
            | b"explicit"
            | b"constexpr"
            | b"consteval"
            | b"constinit"
            | b"friend"
            | b"mutable"
            | b"restrict"
            | b"__restrict"
            | b"__restrict__"
            | b"_Noreturn"
            | b"noreturn"
            | b"thread_local"
            | b"__thread"
            | b"_Thread_local"
            | b"__extension__"
            | b"typename"
    )
}

/// Words that take brackets and stand before a name.
pub(super) fn is_attribute_keyword(word: &[u8]) -> bool {
    matches!(word, b"__attribute__" | b"__attribute" | b"__declspec" | b"alignas" | b"_Alignas")
}

pub(super) fn is_access(word: &[u8]) -> bool {
    matches!(word, b"public" | b"private" | b"protected" | b"signals" | b"slots")
}

/// What a macro like `PRIVATE_UNLESS_TESTED` or `Q_SIGNALS` stands for before a colon.
pub(super) fn access_in(word: &[u8]) -> Option<&'static [u8]> {
    let mut parts = word.split(|byte| *byte == b'_');
    let access: Option<&[u8]> = parts.find_map(|part| match part {
        b"PUBLIC" | b"SIGNALS" => Some(&b"public"[..]),
        b"PRIVATE" => Some(&b"private"[..]),
        b"PROTECTED" => Some(&b"protected"[..]),
        _ => None,
    });
    access.filter(|_| is_attribute_like(word))
}

pub(super) fn is_keyword(word: &[u8]) -> bool {
    is_type(word)
        || is_tag(word)
        || is_specifier(word)
        || is_attribute_keyword(word)
        || matches!(
            word,
            b"if"
                | b"else"
                | b"for"
                | b"while"
                | b"do"
                | b"switch"
                | b"case"
                | b"default"
                | b"return"
                | b"goto"
                | b"break"
                | b"continue"
                | b"sizeof"
                | b"operator"
                | b"new"
                | b"delete"
                | b"this"
                | b"template"
                | b"using"
                | b"namespace"
                | b"public"
                | b"private"
                | b"protected"
                | b"try"
                | b"catch"
                | b"throw"
                | b"override"
                | b"final"
                | b"noexcept"
                | b"requires"
                | b"concept"
                | b"asm"
                | b"__asm__"
                | b"__asm"
                | b"static_assert"
                | b"_Static_assert"
                | b"decltype"
                | b"co_await"
                | b"co_return"
                | b"co_yield"
        )
}

/// Words that are signs: `a and b`.
pub(super) fn is_operator(word: &[u8]) -> bool {
    matches!(
        word,
        b"and"
            | b"or"
            | b"xor"
            | b"not"
            | b"bitand"
            | b"bitor"
            | b"compl"
            | b"and_eq"
            | b"or_eq"
            | b"xor_eq"
            | b"not_eq"
    )
}

/// Words that begin something that declares nothing a macro could stand in.
pub(super) fn begins_no_declaration(word: &[u8]) -> bool {
    matches!(
        word,
        b"using"
            | b"namespace"
            | b"return"
            | b"if"
            | b"for"
            | b"while"
            | b"switch"
            | b"do"
            | b"else"
            | b"static_assert"
            | b"_Static_assert"
            | b"public"
            | b"private"
            | b"protected"
            | b"asm"
            | b"concept"
    )
}

/// Words that look like macros: two characters or more in capitals, `PACKED` and `_Z`, or two
/// underscores before small letters, as system headers have them.
pub(super) fn is_attribute_like(word: &[u8]) -> bool {
    let bare = &word[word.iter().take_while(|byte| **byte == b'_').count()..];
    let underscores = word.len() - bare.len();
    let looks_so = match bare.first() {
        Some(b'A'..=b'Z') => {
            bare.len() >= 2
                && bare.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
        }
        Some(b'a'..=b'z') => {
            underscores == 2
                && bare.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        }
        _ => false,
    };
    looks_so && !is_keyword(word)
}

/// Whether a word looks like a macro that opens or closes a stretch of declarations.
pub(super) fn is_bracket_like(word: &[u8]) -> bool {
    bracket(word).is_some()
}

/// Whether a macro opens a stretch of declarations, or closes it; none if it looks like neither.
pub(super) fn bracket(word: &[u8]) -> Option<bool> {
    let mut parts = word.split(|byte| *byte == b'_');
    let opens = parts.find_map(|part| match part {
        b"BEGIN" => Some(true),
        b"END" => Some(false),
        _ => None,
    });
    opens.filter(|_| is_attribute_like(word))
}
