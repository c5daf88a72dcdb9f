//! What the comments of the SQL files say about tables and columns.
//!
//! The files are written so that this stays simple: a comment above a statement documents it, a
//! comment behind a column documents that column, a comment block with an empty line below it
//! introduces the file. What is no comment is read only as far as names of columns need it.

/// A table or a view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relation {
    pub name: String,
    pub meaning: String,
    pub columns: Vec<Column>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// Of the columns of tables; a view has none of its own.
    pub kind: String,
    pub meaning: String,
}

/// The introduction of a file and what it declares.
pub fn read(text: &str) -> (String, Vec<Relation>) {
    let mut introduction = String::new();
    let mut comment = Vec::new();
    let mut relations = Vec::new();
    let mut rest = text;
    while let Some((first, after)) = rest.split_once('\n') {
        if let Some(words) = first.strip_prefix("--") {
            comment.push(words.trim());
            rest = after;
        } else if first.trim().is_empty() {
            if relations.is_empty() && introduction.is_empty() {
                introduction = comment.join("\n");
            }
            comment.clear();
            rest = after;
        } else {
            let (statement, after) = split_statement(rest);
            relations.extend(relation(statement, &comment.join("\n")));
            comment.clear();
            rest = after;
        }
    }
    (introduction, relations)
}

/// A statement ends with the first semicolon at the end of a line or before a comment.
fn split_statement(text: &str) -> (&str, &str) {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if line.split(" --").next().is_some_and(|code| code.trim_end().ends_with(';')) {
            break;
        }
    }
    text.split_at(length)
}

fn relation(statement: &str, meaning: &str) -> Option<Relation> {
    let head = statement.split(['(', '\n']).next()?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let at = words.iter().position(|word| matches!(*word, "TABLE" | "VIEW"))?;
    let name = (*words.get(at + 1)?).to_owned();
    let is_view = words[at] == "VIEW";
    let body = if is_view {
        statement.split_once("SELECT").map(|(_, body)| body)?
    } else {
        statement.split_once('(').map(|(_, body)| body)?
    };
    let columns = Items::read(body, is_view).columns(is_view);
    Some(Relation { name, meaning: meaning.to_owned(), columns })
}

/// The parts of a list between commas, with the comments beside them.
#[derive(Debug, Default)]
struct Items {
    done: Vec<(String, String)>,
    code: String,
    comment: String,
}

impl Items {
    /// Reads up to the bracket that closes a table's list, or the `FROM` that ends a view's.
    fn read(body: &str, is_view: bool) -> Self {
        let mut items = Self::default();
        let mut depth = 0;
        'lines: for line in body.lines() {
            let (code, comment) = line.split_once("--").unwrap_or((line, ""));
            if is_view && depth == 0 && code.starts_with("FROM") {
                break;
            }
            for (at, character) in code.char_indices() {
                match character {
                    '(' => depth += 1,
                    ')' if depth == 0 => break 'lines,
                    ')' => depth -= 1,
                    ',' if depth == 0 => {
                        items.end();
                        continue;
                    }
                    _ => {}
                }
                // A short view stands on one line.
                if is_view && depth == 0 && code[at..].starts_with(" FROM ") {
                    break 'lines;
                }
                items.code.push(character);
            }
            items.code.push(' ');
            items.note(comment.trim());
        }
        items.end();
        items
    }

    fn end(&mut self) {
        if !self.code.trim().is_empty() {
            let code = self.code.trim().to_owned();
            self.done.push((code, std::mem::take(&mut self.comment)));
        }
        self.code.clear();
    }

    /// A comment belongs to the item that its line ends, or that it stands in.
    fn note(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        let slot = if self.code.trim().is_empty() {
            self.done.last_mut().map(|(_, comment)| comment)
        } else {
            Some(&mut self.comment)
        };
        if let Some(slot) = slot {
            if !slot.is_empty() {
                slot.push(' ');
            }
            slot.push_str(comment);
        }
    }

    fn columns(self, is_view: bool) -> Vec<Column> {
        let items = self.done.into_iter();
        items.filter_map(|(code, meaning)| column(&code, is_view, meaning)).collect()
    }
}

fn column(code: &str, is_view: bool, meaning: String) -> Option<Column> {
    let mut words = code.split_whitespace();
    if is_view {
        let name = words.next_back()?.rsplit('.').next()?.to_owned();
        return Some(Column { name, kind: String::new(), meaning });
    }
    let name = words.next()?;
    // Conditions on the whole table, and options of virtual ones, are no columns.
    if matches!(name, "PRIMARY" | "CHECK" | "UNIQUE" | "FOREIGN") || code.contains(" = ") {
        return None;
    }
    let kind = words.next().filter(|word| matches!(*word, "INTEGER" | "TEXT" | "BLOB" | "REAL"));
    Some(Column { name: name.to_owned(), kind: kind.unwrap_or_default().to_owned(), meaning })
}

#[cfg(test)]
mod tests {
    use super::{Column, Relation, read};

    const SQL: &str = "\
-- About the file,
-- in two lines.

-- Files.
CREATE TABLE file (
    id     INTEGER PRIMARY KEY,
    status TEXT NOT NULL CHECK (status IN ('a', 'b')),  -- how it went
    hash   BLOB,
    PRIMARY KEY (id, status)
) STRICT;

-- Their public face.
CREATE VIEW files AS SELECT
    f.id,
    CASE WHEN a THEN (SELECT x, y FROM z) END AS state,  -- how it
                                                        -- went
    lower(hex(hash)) AS hash
FROM file AS f;

-- Short.
CREATE VIEW few AS SELECT id, hash AS h FROM file;
";

    #[test]
    fn comments_become_the_meaning_of_what_they_stand_beside() {
        let (introduction, relations) = read(SQL);
        assert_eq!(introduction, "About the file,\nin two lines.");
        let column = |name: &str, kind: &str, meaning: &str| Column {
            name: name.to_owned(),
            kind: kind.to_owned(),
            meaning: meaning.to_owned(),
        };
        assert_eq!(relations.len(), 3);
        assert_eq!(relations[0].meaning, "Files.");
        assert_eq!(
            relations[0].columns,
            [
                column("id", "INTEGER", ""),
                column("status", "TEXT", "how it went"),
                column("hash", "BLOB", "")
            ]
        );
        assert_eq!(relations[1].name, "files");
        assert_eq!(
            relations[1].columns,
            [column("id", "", ""), column("state", "", "how it went"), column("hash", "", "")]
        );
        assert_eq!(relations[2].columns, [column("id", "", ""), column("h", "", "")]);
    }

    /// Values that the documentation lists are the words there are.
    #[test]
    fn listed_values_are_those_of_the_vocabulary() {
        let relations: Vec<Relation> =
            crate::schema_files().iter().flat_map(|(_, text)| read(text).1).collect();
        let meaning = |table: &str, name: &str| {
            let relation = relations.iter().find(|relation| relation.name == table);
            let column = relation.and_then(|found| found.columns.iter().find(|c| c.name == name));
            let words = column.expect("it is documented").meaning.split([',', ' ', ';']);
            words.map(str::to_owned).collect::<Vec<_>>()
        };
        let kinds: Vec<&str> = model::SymbolKind::ALL.iter().map(|kind| kind.as_str()).collect();
        let visible: Vec<&str> = model::Visibility::ALL.iter().map(|kind| kind.as_str()).collect();
        let problems: Vec<&str> =
            model::ProblemKind::ALL.iter().map(|kind| kind.as_str()).collect();
        for (table, column, words) in [
            ("symbols", "kind", kinds),
            ("symbols", "visibility", visible),
            ("problems", "kind", problems),
        ] {
            let listed = meaning(table, column);
            for word in words {
                assert!(listed.iter().any(|listed| listed == word), "{table}.{column}: {word}");
            }
        }
    }
}
