//! The servers, as clients meet them: real processes, spoken to in the bytes of the protocol.

mod client;
mod guards;
mod http;
mod lifetime;
mod mcp;
mod messages;
mod parity;
mod web;
