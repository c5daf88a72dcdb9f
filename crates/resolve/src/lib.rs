//! Who means whom: facts of many files in, links between them out.
//!
//! Empty so far. It will do no I/O and know no database, so that it can be tested with a few files in a
//! string; what it needs (scopes, bindings, origins of values, imports and exports) is in the facts.
