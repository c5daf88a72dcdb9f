//! For tests only: facts as text that a person can read and a test can compare.

mod render;

pub use render::render;
