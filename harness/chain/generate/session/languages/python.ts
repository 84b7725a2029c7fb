/** How the project's Python looks. */
import { template, templateBlocks, templateLines } from "../template.ts";
import type { Grammar } from "./grammar.ts";

export const python: Grammar = {
  extension: "py",
  comment: "# ",
  indent: "    ",
  case: "snake",
  head: templateLines(`"""{Purpose}."""

from __future__ import annotations

import asyncio
import logging
import {stdlib}
from dataclasses import dataclass, field
from pathlib import Path

@imports

log = logging.getLogger(__name__)`),
  import: template("from {module} import {imported}, {imported}"),
  constant: template("{name} = {value}"),
  types: templateBlocks(`
@dataclass(slots=True)
class {T}:
    {b}: int
    {c}: str = ""
    {d}: float = {f1}
    {e}: list[int] = field(default_factory=list)

class {T}Error(Exception):
    def __init__(self, {b}: str, *, {c}: int | None = None) -> None:
        super().__init__({b})
        self.{member} = {c}

@dataclass(frozen=True)
class {T}Limits:
    {b}_max: int = {n4}
    {c}_max: int = {n3}
    {d}_ratio: float = {p2}
`),
  callables: templateBlocks(`
def {self}({a}: {T}, {b}: int = {n3}) -> list[{R}]:
    """{Remark}."""
    {c}: list[{R}] = []
    @body
    return {c}

async def {self}({a}: {T}, *, {b}: Path, {d}: int = {n2}) -> {R}:
    @body
    return {R}({d}, str({b}))

def {self}(
    {a}: Sequence[{T}],
    {b}: str,
    *,
    {d}: float = {f1},
) -> {R} | None:
    """{Remark}.
    See {path}: {remark}.
    """
    if not {a}:
        return None
    @body
    return {fn}({a}, {d})

def {self}({a}: {T}) -> bool:
    @body
    return {a}.{member} >= {const}

async def {self}({a}: Path, {b}: dict[str, str]) -> int:
    """{Remark}."""
    {c} = 0
    @body
    return {c}
`),
  statements: templateBlocks(`
if {a}.{member} is None:
    raise {R}Error("{a} without {member}", {b}={n3})

{c} = [item for item in {a}.{member} if item.{member} >= {b}]

for index, {d} in enumerate({a}.{member}):
    if {d}.{member} < {const}:
        continue
    {c}.append({fn}({d}, index))

try:
    {e} = await {fn}({a}, limit={n3})
except {T}Error as error:
    log.warning("{a} failed after %d ms: %s", {b}, error)
    raise

async with {a}.lock:
    await {fn}({b})

{d} = max({b}, {const} // {n1})

log.debug("{a} %s: %d of %d", {a}.{member}, {b}, {const})

while {d} < {b}:
    {d} += {fn}({a}, {d})
    if {d} % {n3} == 0:
        log.info("{d} at %d of %d", {d}, {b})

{e} = {a}.{member}.setdefault("{member}", {R}())

with {a}.{member}.open("rb") as handle:
    handle.seek({b})
    {e} = handle.read({const})

if {fn}({a}) and {d} > {n2}:
    {c} = {fn}({a}, {d} - {n1})
else:
    {c} = {fn}({a}, 0)

key = ({a}.{member}, {b})
if key in _{a}_cache:
    return _{a}_cache[key]

{d} = sum(part.{member} for part in {a}.{member})

assert {b} > 0, "{b} must be positive"

{e} = sorted({a}.{member}, key=lambda part: (part.{member}, part.{member}))

left, right = {fn}({a}), {fn}({b})
if left.{member} != right.{member}:
    return {R}(left.{member}, right.{member})

await asyncio.sleep(min({b}, {n2}) / 1000)

previous = {a}.{member}
{a}.{member} = {fn}(previous, {b})

match {a}.{member}:
    case "{member}":
        {d} = {n2}
    case "{member}" | "{verb}":
        {d} = {const}
    case _:
        {d} = 0

{c}, rest = {fn}({a}, {b}), {a}.{member}[{n1}:]

results = await asyncio.gather(*({fn}(part) for part in {a}.{member}))
`),
  guards: templateBlocks(`
if {x} is None:
    return None

if {x} >= {const}:
    log.info("{x} stopped at %d", {x})
    return {x}

{x} = min({x}, {const})

if not {fn}({x}):
    raise {type}Error("{x} is over its limit")

assert {x} <= {const}, "{x} grew past its limit"

{x} = {fn}({x}, default={const})

if {x} == 0:
    log.warning("empty {x}, nothing to {verb}")
`),
  tests: {
    head: templateLines(`"""Tests of {Purpose}."""

import pytest

@imports`),
    open: undefined,
    test: templateBlocks(`
def {self}(tmp_path):
    {a} = {fn}(tmp_path / "{member}.bin", {n3})
    assert {a}.{member} == {n4}
    assert len({a}.{member}) == {n2}

@pytest.mark.parametrize("{a}", [{n2}, {n3}, {n4}])
def {self}({a}):
    {b} = {fn}({a}, limit={n3})
    assert {b} is not None
    assert {b}.{member} <= {a}

async def {self}(fake_{a}):
    fake_{a}.{member} = {n3}
    with pytest.raises({type}Error):
        await {fn}(fake_{a})
    assert fake_{a}.{member} == {n2}

def {self}(monkeypatch, tmp_path):
    monkeypatch.setattr("{module}.{fn}", lambda *_: {n3})
    {b} = {fn}({type}({n2}), tmp_path)
    assert {b} == {n3}
`),
    close: undefined,
  },
};
