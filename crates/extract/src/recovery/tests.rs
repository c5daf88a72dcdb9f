use super::{Doubt, blank, stretches};

/// The copy of a text, which must be of its shape.
fn blanked(text: &str) -> String {
    let copy = blank(text, Doubt::All).unwrap_or_else(|| text.to_owned());
    check_shape(text, &copy);
    copy
}

fn check_shape(text: &str, copy: &str) {
    assert_eq!(text.len(), copy.len(), "{text}");
    let breaks =
        |text: &str| -> Vec<usize> { text.match_indices('\n').map(|(at, _)| at).collect() };
    assert_eq!(breaks(text), breaks(copy), "{text}");
}

/// Words of the copy, white space folded.
fn folded(text: &str) -> String {
    blanked(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn stays(text: &str) {
    assert_eq!(blank(text, Doubt::All), None, "{text}");
}

#[test]
fn comments_inside_macros_go_and_their_lines_are_continued() {
    assert_eq!(blanked("#define A 1 /* one */ + 2\n"), "#define A 1           + 2\n");
    stays("#define A 1 /* one */\n");
    assert_eq!(
        blanked(
            "#define A(x) do { \\\n  f(x); /* first */ \\\n  g(x); /* second */ \\\n} while (0)\n"
        ),
        "#define A(x) do { \\\n  f(x);             \\\n  g(x);              \\\n} while (0)\n"
    );
    assert_eq!(
        blanked("#define A /* a\n b */ 1\n"),
        "#define A     \\\n      1\n".replace("    \\", "   \\")
    );
    stays("#define A /* a\n\n b */ 1\n");
    stays("#define A \"/* no comment */\" 1\n");
}

#[test]
fn a_conditional_that_splits_brackets_keeps_one_branch() {
    assert_eq!(
        folded("#ifdef A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n  return a;\n}\n"),
        "int f(int a) { return a; }"
    );
    assert_eq!(folded("#if 0\n}\n#else\n;\n#endif\nint a;\n"), "; int a;");
    assert_eq!(folded("#if 0\n} gone\n#endif\nint a;\n"), "int a;");
    assert_eq!(folded("void f(void)\n{\n#if A\n}\n{\n#endif\n}\n"), "void f(void) { } { }");
    stays("#ifdef A\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif\n");
}

#[test]
fn of_two_words_behind_a_star_one_is_a_macro() {
    assert_eq!(
        folded("void link(Node* nonnull a, Node* nonnull b);\nNode* nonnull Tree::top() {}\n"),
        "void link(Node* a, Node* b); Node* Tree::top() {}"
    );
    assert_eq!(folded("void f(int* RESTRICT a, N::T x = 1);\n"), "void f(int* a, N::T x = 1);");
    stays("bool b = *one and *other;\n");
    stays("void f(int *one unused, int *other unused);\n");
}

#[test]
fn operators_are_names_of_functions() {
    assert_eq!(
        folded("LIB_API bool Box::operator==(const Box& other) const { return true; }\n"),
        "inline bool Box::operator==(const Box& other) const { return true; }"
    );
    assert_eq!(
        folded("LIB_API Box::operator Box::Flag() const { return flag; }\nint a;\n"),
        "inline Box::operator Box::Flag() const { return flag; } int a;"
    );
    assert_eq!(
        folded("struct Box { const T& operator*() const& LIFETIME_BOUND { return it; } };\n"),
        "struct Box { const T& operator*() const& { return it; } };"
    );
    assert_eq!(
        folded("struct Box { LIB_API bool operator()(UNUSED int a) const; };\n"),
        "struct Box { inline bool operator()( int a) const; };"
    );
    stays("struct Box { Box& operator=(const Box& other); explicit operator bool() const; };\n");
    stays("Bits operator|(Bits one, Bits other) { return one; }\n");
}

#[test]
fn a_macro_that_is_given_numbers_is_no_name() {
    assert_eq!(
        folded("void printflike(1, 2) report(const char *, ...);\n"),
        "void report(const char *, ...);"
    );
    assert_eq!(
        folded("static char *nonnull(1) copy(char *from)\n{\n}\n"),
        "static char * copy(char *from) { }"
    );
    stays("void report(const char *, ...);\n");
    stays("int a = f(1) + g(2);\n");
}

#[test]
fn a_constructor_outside_of_its_class_needs_no_type() {
    assert_eq!(
        folded("API_INLINE Box::Box(int a) NOEXCEPT : size{a} {\n}\n"),
        "inline Box::Box(int a) : size{a} { }"
    );
    assert_eq!(folded("API box::Box<T>::Box() {}\n"), "box::Box<T>::Box() {}");
    assert_eq!(folded("API_INLINE Box::~Box() {}\n"), "inline Box::~Box() {}");
    stays("RESULT Box::open() {}\n");
}

#[test]
fn a_type_comes_out_of_the_macro_around_it() {
    assert_eq!(folded("API(const char *) print(int a);\n"), "const char * print(int a);");
    assert_eq!(folded("API(status) open(int a)\n{\n}\n"), "status open(int a) { }");
    assert_eq!(folded("extern API(struct box) *open(void);\n"), "extern struct box *open(void);");
    assert_eq!(folded("PyAPI_FUNC(int) PyRun(void);\n"), "int PyRun(void);");
    assert_eq!(folded("GLOBAL(void)\nread (int a)\n{\n}\n"), "void read (int a) { }");
    assert_eq!(folded("GLOBAL(status)\nread (int a)\n{\n}\n"), "status read (int a) { }");
    stays("LIST_HEAD(a, b) head;\n");
    assert_eq!(folded("class Box {\n  Box(int) REQUIRES(a);\n};\n"), "class Box { Box(int) ; };");
}

#[test]
fn macros_that_stand_for_fields_go() {
    assert_eq!(
        folded("struct handle {\n  HANDLE_FIELDS\n  TIMER_FIELDS\n};\nint f(void);\n"),
        "struct handle { }; int f(void);"
    );
    assert_eq!(folded("struct a { int b; FIELDS };\n"), "struct a { int b; };");
    stays("enum a { ONE, TWO };\n");
    stays("struct a { int b; };\n");
}

#[test]
fn what_is_never_compiled_goes() {
    assert_eq!(folded("#if 0\nint f(void) { return g(); }\n#endif\nint a;\n"), "int a;");
    assert_eq!(folded("#if 0 /* old */\nint a;\n#else\nint b;\n#endif\n"), "/* old */ int b;");
    assert_eq!(
        folded("void f(void) {\n#if 0\n  g();\n#endif\n  h();\n}\n"),
        "void f(void) { h(); }"
    );
    stays("#if 1\nint f(void) { return g(); }\n#endif\n");
    stays("#if 0 + A\nint f(void) { return g(); }\n#endif\n");
}

#[test]
fn of_nested_conditionals_only_the_one_that_splits_goes() {
    assert_eq!(
        folded("#ifdef A\n#ifdef B\nif (x) {\n#else\nif (y) {\n#endif\n z(); }\n#endif\n"),
        "#ifdef A if (x) { z(); } #endif"
    );
    let copy = folded("#if A\n{\n#if B\n(\n#else\n)\n#endif\n#endif\n");
    assert_eq!(copy, "{ (");
}

#[test]
fn comments_of_branches_that_go_stay_comments() {
    assert_eq!(
        folded("f(1,\n#ifdef A /* why */\n 2 // two\n#else\n 3 // three\n#endif // A\n);\n"),
        "f(1, /* why */ 2 // two // three // A );"
    );
}

#[test]
fn a_conditional_inside_an_expression_keeps_one_branch() {
    assert_eq!(folded("int a = 1 +\n#if A\n2\n#else\n3\n#endif\n;\n"), "int a = 1 + 2 ;");
    assert_eq!(folded("int a[] = {\n#if A\n1,\n#endif\n2 };\n"), "int a[] = { 1, 2 };");
    assert_eq!(
        folded("Box::Box() :\n#if A\na(1),\n#endif\nb(2) {}\n"),
        "Box::Box() : a(1), b(2) {}"
    );
    assert_eq!(folded("x =\n#if A\n1\n#endif\n#if B\n+ 2\n#endif\n;\n"), "x = 1 + 2 ;");
    stays("struct a {\n#if A\nint b;\n#endif\nint c;\n};\n");
    stays("switch (a) { case 1:\n#if A\nf();\n#endif\n}\n");
    stays("int a;\n#if A\nint b;\n#endif\n");
}

#[test]
fn of_the_words_before_a_class_body_the_last_is_the_name() {
    assert_eq!(folded("struct PACKED head { int a; };"), "struct head { int a; };");
    assert_eq!(
        folded("class EXPORT(1) api Table : public Base { };"),
        "class Table : public Base { };"
    );
    assert_eq!(folded("enum class EXPORT Color : int { Red };"), "enum class Color : int { Red };");
    assert_eq!(
        folded("struct __attribute__((packed)) API head { int a; };"),
        "struct __attribute__((packed)) head { int a; };"
    );
    assert_eq!(
        folded("BEGIN_DECLS\ntypedef struct { int a; } PACKED head;"),
        "typedef struct { int a; } head;"
    );
    stays("class Table final : public Base { };");
    stays("struct head *find(int a) { return 0; }");
    stays("struct { int a; } ONE, TWO;");
}

#[test]
fn a_class_head_is_read_even_if_the_grammar_sees_no_error() {
    let copy = blank("struct PACKED head { int a; };", Doubt::Heads);
    assert_eq!(copy.as_deref(), Some("struct        head { int a; };"));
    assert_eq!(blank("int a = 1 +\n#if A\n2\n#endif\n;\n", Doubt::Heads), None);
}

#[test]
fn attributes_with_arguments_go_if_the_rest_is_complete() {
    assert_eq!(folded("class Q { int size_ GUARDED_BY(mutex_); };"), "class Q { int size_ ; };");
    assert_eq!(folded("void Push(int a) LOCKS_EXCLUDED(mutex_);"), "void Push(int a) ;");
    assert_eq!(folded("class Q { Q(int a) REQUIRES(a); };"), "class Q { Q(int a) ; };");
    assert_eq!(
        folded("static int log(const char *f, ...) PRINTF(1, 2);"),
        "static int log(const char *f, ...) ;"
    );
    assert_eq!(folded("std::string name_ GUARDED_BY(m);\n"), "std::string name_ ;");
    stays("LIST_HEAD(a, b) head;");
    stays("REGISTER(a);");
    stays("void TEST_NAME(int a) { }");
}

#[test]
fn words_in_capitals_go_if_the_rest_is_complete() {
    assert_eq!(blanked("MODULE_API int count(void);"), "inline     int count(void);");
    assert_eq!(blanked("API int count(void);"), "    int count(void);");
    assert_eq!(
        folded("JNIEXPORT jint JNICALL Java_a(JNIEnv *env) { }"),
        "inline jint Java_a(JNIEnv *env) { }"
    );
    assert_eq!(
        folded("API module_t open(const char *path) { }"),
        "module_t open(const char *path) { }"
    );
    assert_eq!(folded("API void (close) (int a);"), "void (close) (int a);");
    assert_eq!(
        folded("static const char NAME[] PROGMEM = \"a\";"),
        "static const char NAME[] = \"a\";"
    );
    assert_eq!(folded("void stop(void) NORETURN;"), "void stop(void) ;");
    assert_eq!(folded("static __always_inline int f(void) { }"), "static int f(void) { }");
    assert_eq!(folded("PUSH\nTEST_BEGIN(a) { }"), "PUSH TEST_BEGIN(a) { }");
    assert_eq!(folded("PUSH\nIGNORE\nTEST_BEGIN(a) { }"), "IGNORE TEST_BEGIN(a) { }");
    assert_eq!(folded("void *__libc_f(int a) ALIAS(f);"), "void *__libc_f(int a) ;");
    stays("static FILE *file;");
    stays("FILE *open(void);");
    assert_eq!(folded("TEST(a) { }\nEND_TEST\nTEST(b) { }\n"), "TEST(a) { } TEST(b) { }");
    assert_eq!(folded("G_BEGIN_DECLS\nint f(void);\n"), "int f(void);");
    stays("int f(a, b) FILE *a; int b; { }");
}

#[test]
fn words_in_capitals_go_from_parameters() {
    assert_eq!(folded("int f(UNUSED int a, struct b *c UNUSED);"), "int f( int a, struct b *c );");
    assert_eq!(folded("int f(OUT type_t *a);"), "int f( type_t *a);");
    stays("int f(FILE *a, DIR *, size_t LENGTH);");
}

#[test]
fn macros_that_stand_for_statements_are_ended_or_go() {
    assert_eq!(blanked("RB_PROTO(a, b) \nint f(void);\n"), "RB_PROTO(a, b);\nint f(void);\n");
    assert_eq!(folded("RB_PROTO(a, b)\nint f(void);\n"), "int f(void);");
    assert_eq!(folded("define_all(a)\nstatic int f(void) { }\n"), "static int f(void) { }");
    stays("Box::Box(int a)\nconst;\n");
    stays("old(a)\nint a;\n{ }\n");
}

#[test]
fn a_word_of_any_look_before_a_primitive_type_goes() {
    assert_eq!(folded("static zend_inline int f(void) { }"), "static int f(void) { }");
    assert_eq!(folded("my_api unsigned long f(void);"), "inline unsigned long f(void);");
    stays("typedef BOOL bool;");
    stays("typedef u32 uint32_t;");
}

#[test]
fn literals_and_comments_hide_what_they_hold() {
    stays("const char *a = \"struct X y {\"; /* struct X y { */ // struct X y {\n");
    stays("auto a = R\"x(struct X y { )\" )x\";\nint c = '\"';\nint d = 1'000;\n");
    stays("#define A \\\n struct X y {\nint a;\n");
    stays("struct a { int b[c[0]]; };\n[[nodiscard]] int f();\n");
}

#[test]
fn stretches_are_what_differs() {
    let text = "#define A 1 /* é */ + 2\nAPI_A(\"é\") int f(void);\n";
    let copy = blanked(text);
    let found: Vec<&str> = stretches(text, &copy).iter().map(|span| span.slice(text)).collect();
    assert_eq!(found, ["/* é */", "API_A(\"é\")"]);
}

/// A small generator of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn whatever_the_text_its_copy_has_the_same_shape() {
    const PIECES: &[&str] = &[
        "#if A\n",
        "#if 0\n",
        "#else\n",
        "#elif B\n",
        "#endif\n",
        "#define X /* a\n b */ 1\n",
        "#define Y \\\n",
        "(",
        ")",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        ";",
        ",",
        "=",
        ":",
        "::",
        "->",
        "<",
        ">",
        "~",
        "*",
        "\\\n",
        "\\",
        "\r\n",
        "\n",
        " ",
        "\"",
        "'",
        "R\"x(",
        ")x\"",
        "/*",
        "*/",
        "//",
        "é",
        "日本",
        "struct ",
        "class ",
        "enum ",
        "int ",
        "PACKED ",
        "API(x) ",
        "name ",
        "template<",
        "operator",
        "namespace ",
        "extern \"C\" ",
        "public:",
        "static ",
        "typedef ",
        "1'0",
        "L'x'",
        "0x1p+3",
        "#",
        "\u{feff}",
        "\0",
    ];
    let mut numbers = Numbers(7);
    for _ in 0..20_000 {
        let count = 1 + numbers.below(40);
        let text: String = (0..count).map(|_| PIECES[numbers.below(PIECES.len())]).collect();
        for doubt in [Doubt::All, Doubt::Heads] {
            if let Some(copy) = blank(&text, doubt) {
                check_shape(&text, &copy);
            }
        }
    }
}

#[test]
fn hostile_texts_take_time_in_proportion() {
    let hostile = [
        "#if A\n",
        "#if A\n{\n",
        "#if A\n{\n#else\n",
        "#if A\n{\n#endif\n",
        "x =\n#if A\n1\n#endif\n",
        "(",
        "{",
        "[",
        ")",
        "}",
        "a<",
        "A ",
        "A(x) ",
        "A(x)\n",
        "f() : a{}, ",
        "a = {}",
        "a {} ",
        "struct A ",
        "struct A {",
        "f(A int a, ",
        "R\"(",
        "'\\",
        "\"\\",
        "/*",
        "#define A /* b */ \\\n",
        "template<",
        "a::",
        "#define A(",
        "struct f() : a{},",
        "int A[] ",
        "A int ",
        "(): ",
        "[[",
        "() ",
    ];
    for piece in hostile {
        let text = piece.repeat(1_000_000 / piece.len());
        let started = std::time::Instant::now();
        if let Some(copy) = blank(&text, Doubt::All) {
            assert_eq!(copy.len(), text.len());
        }
        // Far above what a slow machine needs, far below what a square would.
        assert!(started.elapsed().as_secs() < 10, "{piece}: {:?}", started.elapsed());
    }
}

#[test]
fn macros_may_stand_for_try_and_catch() {
    assert_eq!(
        folded("void f() { LIB_TRY { g(); } LIB_CATCH (A&) { h(); } LIB_CATCH(...) {} }\n"),
        "void f() { try { g(); } catch (A&) { h(); } catch (...) {} }"
    );
    stays("void f() { LIB_TRY { g(); } h(); }\n");
    stays("void f() { LIB_TRY { g(); } LIB_CATCH(x) }\n");
    stays("void f() { { g(); } LIB_CATCH(...) { h(); } }\n");
}

#[test]
fn macros_may_stand_for_sections_of_a_class() {
    assert_eq!(
        folded("class A { LIB_PRIVATE_UNLESS_TESTED: int a; Q_SIGNALS: void b(); };\n"),
        "class A { private : int a; public : void b(); };"
    );
    stays("struct A { unsigned LIB_PUBLIC: 3; };\n");
    stays("void f() { LIB_PRIVATE: return; }\n");
}

#[test]
fn a_test_that_a_text_names_has_a_parameter_for_it() {
    let head = "TEST_CASE(\"adds a to b\", \"[sum]\") { add(1, 2); }\n";
    assert_eq!(blanked(head), "TEST_CASE( ccccccccccc          ) { add(1, 2); }\n");
    assert_eq!(
        folded("TEST_CASE_METHOD(Sum, \"b\", \"[s]\") { go(); }\n"),
        "TEST_CASE_METHOD(Sum, a ) { go(); }"
    );
    // Sections inside of a test are statements, and what is no test stays what it is.
    stays("void f() { SECTION(\"one\") { go(); } }\n");
    stays("LOG(\"one\") { go(); }\n");
    stays("TEST_CASE(\"\") { go(); }\n");
}

#[test]
fn a_suite_of_tests_is_a_namespace() {
    assert_eq!(
        folded("TEST_SUITE(\"sums\") { TEST_CASE(\"two\") { go(); } }\n"),
        "namespace { TEST_CASE( aaa ) { go(); } }"
    );
}
