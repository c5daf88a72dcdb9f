//! For tests only: facts as text that a person can read and a test can compare, and links checked
//! against annotations.

pub mod links;
mod render;

pub use render::render;
