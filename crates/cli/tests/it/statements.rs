//! Statements nobody would write, to torture what runs SQL from outside: made by a small grammar, by
//! changing sensible ones, and from a list of tricks. The same seed gives the same statements.

/// An endless row of statements.
#[derive(Debug)]
pub(crate) struct Statements {
    state: u64,
    /// Sensible ones, to be changed.
    seeds: Vec<String>,
}

const TABLES: &[(&str, &[&str])] = &[
    ("files", &["id", "path", "size", "line_count", "language", "status", "is_test"]),
    (
        "symbols",
        &["id", "name", "file_path", "kind", "line", "complexity", "signature", "parent_id"],
    ),
    ("imports", &["id", "file_path", "source", "resolved_path", "line_number"]),
    ("links", &["file_id", "number", "outcome", "target_id", "role", "line"]),
    ("refs", &["file_id", "name", "role", "line", "symbol"]),
    ("calls", &["id", "file_path", "callee_name", "line_start"]),
    ("terms", &["file_id", "term", "line"]),
    ("symbol_links", &["from_path", "to_name", "role", "how"]),
    ("file_dependencies", &["from_path", "to_path", "link_count"]),
    ("edges", &["id", "source", "target", "kind"]),
    ("module_cycles", &["cycle", "size", "file_path"]),
    ("markers", &["id", "file_path", "kind"]),
    ("source_fts", &["file_path", "content"]),
    ("query_baselines", &["name", "rows_json"]),
    ("sqlite_schema", &["name", "sql"]),
    ("file", &["id", "path", "content_hash"]),
    ("facts", &["file_id", "detail"]),
];

const FUNCTIONS: &[&str] = &[
    "abs",
    "length",
    "hex",
    "upper",
    "lower",
    "trim",
    "typeof",
    "quote",
    "unicode",
    "char",
    "json",
    "json_array",
    "json_valid",
    "sum",
    "count",
    "max",
    "min",
    "avg",
    "group_concat",
    "total",
    "json_group_array",
    "zeroblob",
    "randomblob",
    "load_extension",
    "sqlite_version",
    "random",
    "readfile",
    "fts3_tokenizer",
    "printf",
    "date",
    "soundex",
    "instr",
    "replace",
    "substr",
    "glob",
    "likely",
    "unhex",
    "json_patch",
    "json_extract",
    "iif",
    "coalesce",
    "nullif",
    "round",
];

const TRICKS: &[&str] = &[
    "ATTACH ':memory:' AS x",
    "ATTACH 'file:torture.db?mode=rwc' AS x",
    "DETACH user",
    "VACUUM INTO 'torture.db'",
    "VACUUM",
    "PRAGMA query_only = 0",
    "PRAGMA writable_schema = 1",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA temp_store_directory = '.'",
    "PRAGMA hard_heap_limit = 0",
    "PRAGMA mmap_size = 99999999999",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM pragma_table_info('files')",
    "BEGIN EXCLUSIVE",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT a",
    "RELEASE a",
    "CREATE TABLE t (x)",
    "CREATE TEMP VIEW files AS SELECT 1",
    "CREATE TEMP TRIGGER t AFTER INSERT ON boundary_rules BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE t USING fts5(x)",
    "DROP TABLE file",
    "ALTER TABLE file RENAME TO x",
    "REINDEX",
    "ANALYZE",
    "INSERT INTO source_fts(source_fts) VALUES('rebuild')",
    "INSERT INTO boundary_rules VALUES('a','b','c','deny')",
    "UPDATE meta SET value = ''",
    "DELETE FROM file RETURNING *",
    "REPLACE INTO meta VALUES ('a','b')",
    "WITH x AS (SELECT 1) DELETE FROM file",
    "SELECT load_extension('x.so')",
    "SELECT writefile('torture.db', 'x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT * FROM dbstat",
    "SELECT * FROM sqlite_dbpage",
    "SELECT * FROM user.meta",
    "SELECT value FROM user.meta WHERE key = 'owner'",
    "SELECT 1; DROP TABLE file",
    "SELECT 1 /* ; */ -- ;",
    "EXPLAIN DELETE FROM file",
    "EXPLAIN QUERY PLAN SELECT * FROM links",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c",
    "WITH RECURSIVE c(x) AS (SELECT 'a' UNION ALL SELECT x||x FROM c) SELECT length(x) FROM c",
    "SELECT count(*) FROM symbols a, symbols b, symbols c, symbols d",
    "SELECT count(*) FROM terms a, terms b",
    "SELECT hex(zeroblob(100000000))",
    "SELECT printf('%.*c', 100000000, 'x')",
    "SELECT trim(hex(zeroblob(8000000)), printf('%.*c', 8000000, 'a') || '0')",
    "SELECT instr(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1')",
    "SELECT replace(hex(zeroblob(8000000)), hex(zeroblob(4000000)) || '1', 'x')",
    "SELECT replace(hex(zeroblob(4000000)), '0', 'xxxxxxxxxx')",
    "SELECT hex(zeroblob(8000000)) LIKE '%000000000000000000000000000000000000000000001'",
    "SELECT group_concat(hex(zeroblob(1000000))) FROM terms",
    "SELECT json_group_array(content) FROM source_fts, terms",
    "SELECT * FROM source_fts WHERE source_fts MATCH 'a AND (b OR NEAR(c d, 9999999))'",
    "SELECT * FROM source_fts WHERE source_fts MATCH '\"'",
    "SELECT * FROM source_fts WHERE content MATCH '*'",
    "SELECT DISTINCT hex(random() || t.term) FROM terms t, terms u ORDER BY 1",
    "SELECT a.term FROM terms a, terms b ORDER BY a.term || b.term DESC",
    "SELECT * FROM json_each(hex(zeroblob(1000000)))",
    "VALUES (1), (2)",
    "\u{b}SELECT 1",
    "",
    ";",
    "--",
    "/*",
];

const WORDS: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "HAVING",
    "LIMIT",
    "OFFSET",
    "UNION ALL",
    "EXCEPT",
    "INTERSECT",
    "JOIN",
    "LEFT JOIN",
    "ON",
    "USING",
    "AS",
    "DISTINCT",
    "CASE",
    "WHEN",
    "END",
    "NOT",
    "NULL",
    "IN",
    "EXISTS",
    "BETWEEN",
    "LIKE",
    "GLOB",
    "MATCH",
    "COLLATE NOCASE",
    "WITH RECURSIVE",
    "VALUES",
    "OVER ()",
    "FILTER (WHERE 1)",
    "(",
    ")",
    ",",
    ";",
    "'",
    "\"",
    "--",
    "/*",
    "*/",
    "?",
    ":x",
    "9223372036854775808",
    "-1",
    "1e999",
    "x'00'",
    "\u{0}",
    "é",
    "\u{202e}",
    "INSERT INTO",
    "DELETE FROM",
    "PRAGMA",
    "ATTACH",
    "CREATE",
    "RETURNING *",
    "INDEXED BY x",
];

impl Statements {
    pub(crate) fn new(seed: u64, seeds: Vec<String>) -> Self {
        Self { state: seed | 1, seeds }
    }

    fn random(&mut self, below: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % below.max(1) as u64) as usize
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        let at = self.random(of.len());
        of[at]
    }

    fn expression(&mut self, columns: &[&str], depth: usize) -> String {
        let leaf = depth == 0 || self.random(3) == 0;
        if leaf {
            return match self.random(6) {
                0 => "NULL".to_owned(),
                1 => self.random(1000).to_string(),
                2 => format!("'{}'", self.one(&["a", "%", "src/*", "function", "", "é"])),
                _ => self.one(columns).to_owned(),
            };
        }
        let left = self.expression(columns, depth - 1);
        match self.random(8) {
            0 => format!("{}({left})", self.one(FUNCTIONS)),
            1 => {
                format!("{}({left}, {})", self.one(FUNCTIONS), self.expression(columns, depth - 1))
            }
            2 => format!("CASE WHEN {left} THEN {} END", self.expression(columns, depth - 1)),
            3 => format!("({left} IN ({}))", self.select(depth - 1)),
            4 => format!("EXISTS ({})", self.select(depth - 1)),
            5 => format!("row_number() OVER (ORDER BY {left})"),
            _ => {
                let sign = self.one(&[
                    "+", "-", "*", "/", "||", "=", "<", ">=", "AND", "OR", "LIKE", "GLOB", "IS",
                    "->>", "<<",
                ]);
                format!("({left} {sign} {})", self.expression(columns, depth - 1))
            }
        }
    }

    fn select(&mut self, depth: usize) -> String {
        let (table, columns) = self.one(TABLES);
        let mut sql = format!("SELECT {}", self.expression(columns, depth));
        for _ in 0..self.random(3) {
            sql += &format!(", {}", self.expression(columns, depth));
        }
        sql += &format!(" FROM {table}");
        if self.random(4) == 0 {
            let (other, its) = self.one(TABLES);
            let (left, right) = (self.one(columns), self.one(its));
            sql += &format!(" JOIN {other} AS o ON {table}.{left} = o.{right}");
        }
        if self.random(2) == 0 {
            sql += &format!(" WHERE {}", self.expression(columns, depth));
        }
        if self.random(4) == 0 {
            sql += &format!(" GROUP BY {}", self.one(columns));
        }
        if self.random(4) == 0 {
            sql += &format!(" ORDER BY {}", self.expression(columns, depth.min(1)));
        }
        if self.random(3) == 0 {
            sql += &format!(" LIMIT {}", self.random(50));
        }
        if depth > 0 && self.random(8) == 0 {
            sql = format!("{sql} UNION ALL {}", self.select(depth - 1));
        }
        sql
    }

    /// A statement with some of its pieces taken out, put in or said twice.
    fn changed(&mut self, sql: &str) -> String {
        let mut pieces: Vec<String> =
            sql.split_inclusive([' ', ',', '(', ')']).map(str::to_owned).collect();
        for _ in 0..1 + self.random(4) {
            let at = self.random(pieces.len());
            match self.random(5) {
                0 if pieces.len() > 1 => drop(pieces.remove(at)),
                1 => {
                    let word = format!(" {} ", self.one(WORDS));
                    pieces.insert(at, word);
                }
                2 => {
                    if let Some(piece) = pieces.get(at).cloned() {
                        pieces.insert(at, piece);
                    }
                }
                3 => {
                    let other = self.random(pieces.len());
                    if at < pieces.len() && other < pieces.len() {
                        pieces.swap(at, other);
                    }
                }
                _ => {
                    if let Some(piece) = pieces.get_mut(at) {
                        *piece = piece.chars().rev().collect();
                    }
                }
            }
        }
        if self.random(10) == 0 {
            let keep = self.random(pieces.len());
            pieces.truncate(keep);
        }
        pieces.concat()
    }
}

impl Iterator for Statements {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        Some(match self.random(10) {
            0 => self.one(TRICKS).to_owned(),
            1 => {
                let trick = self.one(TRICKS).to_owned();
                self.changed(&trick)
            }
            2..=4 if !self.seeds.is_empty() => {
                let at = self.random(self.seeds.len());
                let seed = self.seeds[at].clone();
                self.changed(&seed)
            }
            5 => {
                let sql = self.select(2);
                self.changed(&sql)
            }
            _ => {
                let depth = 1 + self.random(3);
                self.select(depth)
            }
        })
    }
}
