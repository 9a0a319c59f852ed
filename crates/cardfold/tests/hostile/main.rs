//! Input that means harm: texts, shapes and numbers.

mod numbers;
mod shapes;
mod texts;
