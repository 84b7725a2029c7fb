/** How the project's Rust looks. */
import { template, templateBlocks, templateLines } from "../template.ts";
import type { Grammar } from "./grammar.ts";

export const rust: Grammar = {
  extension: "rs",
  comment: "// ",
  indent: "    ",
  case: "snake",
  head: templateLines(`//! {Purpose}.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{ensure, Context, Result};
use tracing::{debug, info, warn};

@imports`),
  import: template("use {module}::{imported};"),
  constant: template("const {name}: u64 = {value};"),
  types: templateBlocks(`
#[derive(Debug, Clone)]
pub struct {T} {
    pub {b}: u64,
    pub {c}: String,
    {d}: Vec<u32>,
    {e}: Option<Duration>,
}

#[derive(Debug, thiserror::Error)]
pub enum {T}Error {
    #[error("{a} is gone")]
    Gone(u64),
    #[error("{a} refused after {n3} ms")]
    Refused,
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum {T}State {
    {type},
    {R},
    Closed,
}
`),
  callables: templateBlocks(`
pub fn {self}({a}: &{T}, {b}: u64) -> Result<{R}> {
    let mut {c} = {R}::default();
    @body
    Ok({c})
}

/// {Remark}.
pub async fn {self}({a}: Arc<{T}>, {d}: Duration) -> Result<u64> {
    let mut {c} = 0;
    @body
    Ok({c})
}

fn {self}(&self, {a}: &[{T}]) -> Option<{R}> {
    let mut {d} = 0;
    @body
    self.{member}.get(&{d}).cloned()
}

/// {Remark}.
/// See {path}: {remark}.
pub(crate) fn {self}<'a>({a}: &'a {T}, {b}: &mut Vec<u8>) -> Result<&'a [u8]> {
    @body
    Ok(&{b}[..{const} as usize])
}

pub fn {self}({a}: &mut {T}) -> bool {
    @body
    {a}.{member} >= {const}
}
`),
  statements: templateBlocks(`
ensure!({a}.{member} > 0, "{a} without {member}");

for (index, {d}) in {a}.{member}.iter().enumerate() {
    if {d}.{member} < {const} {
        continue;
    }
    {c}.push({fn}({d}, index)?);
}

let {e} = {fn}(&{a}, {n3}).context("{verb} {a}")?;

let Some({e}) = {a}.{member}.get(&{n2}) else {
    return Err({T}Error::Gone({n4}).into());
};

match {a}.{member} {
    {T}State::{type} => {fn}({a}, {n3})?,
    {T}State::Closed => debug!("{a} is closed"),
    _ => {}
}

{c} += {a}.{member}.iter().map(|part| part.{member}).sum::<u64>();

let guard = {a}.{member}.lock().await;
if guard.{member} != {a}.{member} {
    warn!(epoch = guard.{member}, "{member} moved under the lock");
}
drop(guard);

tokio::time::sleep(Duration::from_millis({n3})).await;

while {d} < {const} {
    {d} += {fn}({a}, {d})?;
}

{a}.{member}.retain(|_, part| part.{member} >= {n3});

if {fn}({a}) && {d} > {n2} {
    {c} = {fn}({a}, {d} - {n1})?;
}

let {e}: Vec<_> = {a}.{member}.iter().filter(|part| part.{member} > {n2}).collect();

info!({member} = {a}.{member}, limit = {const}, "{a} rolled");

{a}.{member} = {a}.{member}.saturating_sub({const});

tokio::select! {
    done = {fn}(&{a}) => {c} = done?,
    _ = {a}.{member}.cancelled() => return Ok(Default::default()),
}

let {e} = u64::from_be_bytes({a}.{member}[{n1}..][..8].try_into()?);

{b}.extend_from_slice(&{a}.{member}.to_le_bytes());

let key = ({a}.{member}, {n2});
self.{member}.entry(key).or_insert_with(|| {fn}({a}));

let started = self.clock.now();

let next = {fn}({a}).min({const});
debug_assert!(next >= {n1}, "{a} must not shrink");

if let Err(error) = {fn}({a}).await {
    warn!(%error, "{a} was not written");
    return Err(error);
}
`),
  guards: templateBlocks(`
if {x} >= {const} {
    return Ok(Default::default());
}

ensure!({x} <= {const}, "{x} is over its limit");

let {x} = {x}.min({const});

if {x}.is_empty() {
    debug!("nothing to {verb} for {x}");
    return Ok(Default::default());
}

let {member} = {fn}(&{x})?;

debug_assert!({x} < {const}, "{x} grew past its limit");

warn!(limit = {const}, "{x} is close to its limit");
`),
  tests: {
    head: undefined,
    open: templateLines(`#[cfg(test)]
mod tests {
    use super::*;
`),
    test: templateBlocks(`
    #[test]
    fn {self}() {
        let {a} = {fn}(&{type}::default(), {n3}).unwrap();
        assert_eq!({a}.{member}, {n4});
        assert!({a}.{member}.len() <= {n2});
    }

    #[tokio::test]
    async fn {self}() {
        let {a} = Arc::new({type}::fixture({n2}));
        let {b} = {fn}({a}.clone(), Duration::from_millis({n3})).await;
        assert!({b}.is_err(), "{a} must be refused");
    }

    #[test]
    fn {self}() {
        let mut {a} = {type}::fixture({n3});
        {fn}(&mut {a});
        assert_eq!({a}.{member}, {n2});
    }
`),
    close: "}",
  },
};
