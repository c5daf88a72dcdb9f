//! `<id>.md` beside a recipe: documentation for people, with parameters and actions before it.
//!
//! Only what recipes need of YAML is read: the lists `params` and `actions`, whose items are lines of
//! `key: value`.

use super::recipe::{Action, Invalid, Recipe, Type, new_parameter};

/// Adds what a page says to a recipe.
pub(crate) fn add(mut recipe: Recipe, page: &str) -> Result<Recipe, Invalid> {
    let (head, body) = split(page);
    for (list, item) in items(head)? {
        let value = |key: &str| {
            item.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
        };
        match list.as_str() {
            "actions" => {
                let id = value("type").or(value("id"));
                let id = id.ok_or_else(|| Invalid::new("an action of its page has no `type`"))?;
                let description = value("description").unwrap_or("").to_owned();
                recipe.actions.push(Action { id: id.to_owned(), description });
            }
            "params" => {
                let name = value("name");
                let name =
                    name.ok_or_else(|| Invalid::new("a parameter of its page has no `name`"))?;
                let word = value("type").unwrap_or("string");
                let kind = Type::parse(word).ok_or_else(|| {
                    Invalid::new(format!("`{word}` is no type of a parameter (`{name}`)"))
                })?;
                let default =
                    value("default").or((value("required") == Some("false")).then_some(""));
                let default = default.filter(|text| kind == Type::String || !text.is_empty());
                let parameter =
                    new_parameter(name, kind, default, value("description").unwrap_or(""))?;
                // What the SQL file itself says counts.
                if recipe.params.iter().all(|known| known.name != parameter.name) {
                    recipe.params.push(parameter);
                }
            }
            _ => {}
        }
    }
    let mut paragraphs = body.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    let is_title = |text: &&str| text.starts_with('#');
    if recipe.summary.is_empty() {
        let first = paragraphs.clone().find(|text| !is_title(text)).unwrap_or("");
        recipe.summary = crate::text::one_line(first, 300);
    }
    if recipe.description.is_empty() {
        let rest: Vec<&str> = paragraphs.by_ref().filter(|text| !is_title(text)).collect();
        recipe.description = crate::budget::shortened(&rest.join("\n\n"), 4000);
    }
    Ok(recipe)
}

/// What stands between two lines of dashes, and the rest.
fn split(page: &str) -> (&str, &str) {
    let Some(rest) = page.trim_start_matches('\u{feff}').strip_prefix("---\n") else {
        return ("", page);
    };
    match rest.split_once("\n---") {
        Some((head, body)) => (head, body.split_once('\n').map_or("", |(_, body)| body)),
        None => ("", page),
    }
}

type Item = Vec<(String, String)>;

/// Items of lists, each with the key of its list.
fn items(head: &str) -> Result<Vec<(String, Item)>, Invalid> {
    let mut list = String::new();
    let mut found: Vec<(String, Item)> = Vec::new();
    for line in head.lines() {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let is_inside = line.starts_with([' ', '\t']) || text.starts_with("- ");
        let (text, begins) = match text.strip_prefix("- ") {
            Some(rest) => (rest.trim(), true),
            None => (text, false),
        };
        let Some((key, value)) = text.split_once(':') else {
            return Err(Invalid::new(format!(
                "its page has a line that is not understood: `{text}`"
            )));
        };
        let value = value.trim().trim_matches(['"', '\'']).to_owned();
        if !is_inside {
            list = key.trim().to_owned();
            continue;
        }
        if begins {
            found.push((list.clone(), Item::new()));
        }
        if let Some((_, item)) = found.last_mut() {
            item.push((key.trim().to_owned(), value));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::add;
    use crate::recipes::recipe::{Origin, Recipe};

    #[test]
    fn cm_50_a_page_beside_a_recipe_brings_parameters_actions_and_text() {
        let page = "---\nactions:\n  - type: review\n    description: \"Look at it.\"\nparams:\n  - name: kind\n    type: string\n    required: true\n  - name: min\n    type: number\n    default: 3\n---\n# Title\n\nFinds things.\n\nMore of it.\n";
        let recipe = Recipe::read("x", "SELECT 1", Origin::Project).expect("a recipe");
        let recipe = add(recipe, page).expect("a page");
        assert_eq!(recipe.summary, "Finds things.");
        assert!(recipe.description.ends_with("More of it."));
        assert_eq!(recipe.actions[0].description, "Look at it.");
        assert!(recipe.params[0].required);
        assert_eq!(recipe.params[1].default, Some(json!(3)));
        let recipe = Recipe::read("x", "SELECT 1", Origin::Project).expect("a recipe");
        assert!(add(recipe, "---\nparams:\n  - name: a\n    type: blob\n---\n").is_err());
    }
}
