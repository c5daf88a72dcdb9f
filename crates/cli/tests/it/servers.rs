//! The servers, as clients meet them: real processes, spoken to in the bytes of the protocol.

pub(crate) mod client;
mod guards;
mod http;
mod lifetime;
mod mcp;
mod messages;
mod parity;
pub(crate) mod web;
