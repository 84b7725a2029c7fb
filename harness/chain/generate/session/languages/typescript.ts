/** How the project's TypeScript looks. */
import { template, templateBlocks, templateLines } from "../template.ts";
import type { Grammar } from "./grammar.ts";

export const typescript: Grammar = {
  extension: "ts",
  comment: "// ",
  indent: "  ",
  case: "camel",
  head: templateLines(`/** {Purpose}. */
@imports`),
  import: template('import { {imported}, {imported} } from "{module}";'),
  constant: template("const {name} = {value};"),
  types: templateBlocks(`
export interface {T} {
  readonly {b}: number;
  readonly {c}: string;
  readonly {d}?: readonly number[];
  {e}: boolean;
}

export type {T}Kind = "{noun}" | "{member}" | "{verb}";

export interface {T}Options {
  /** {Remark}. */
  {b}: number;
  {c}: "{member}" | "{verb}";
  on{R}?: (next: {T}Kind) => void;
}
`),
  callables: templateBlocks(`
export function {self}({a}: {T}, {b} = {n3}): {R} {
  let {c} = 0;
  @body
  return { {c}, {d}: {a}.{member} };
}

/** {Remark}. */
export function {self}({a}: readonly {T}[], {b}: number): {R}[] {
  const {c}: {R}[] = [];
  @body
  return {c};
}

export async function {self}({a}: {T}): Promise<{R} | undefined> {
  @body
  return {fn}({a}, {const});
}

/**
 * {Remark}.
 * See {path}: {remark}.
 */
export const {self} = ({a}: {T}, {d} = {f1}): number => {
  @body
  return Math.max({d}, {a}.{member});
};

function {self}(this: void, {a}: {T}, {b}: CanvasRenderingContext2D): void {
  {b}.save();
  @body
  {b}.restore();
}
`),
  views: templateBlocks(`
export function {Self}({ {a}, {b}, on{R} }: {T}Props) {
  const [{c}, set{R}] = useState({a}.{member});
  const {e} = useMemo(() => {fn}({a}, {b}), [{a}, {b}]);
  @body
  return (
    <section className="{a}-{noun}" aria-label="{label}">
      <{R}List items={{c}} limit={{const}} />
      <button type="button" disabled={!{c}} onClick={() => on{R}({e})}>
        {label}
      </button>
    </section>
  );
}

export const {Self} = memo(function {Self}({ {a} }: {T}Props) {
  const canvas = useCanvas({const});
  useEffect(() => {
    const surface = canvas.context();
    if (!surface) return;
    {fn}(surface, {a});
  }, [{a}]);
  return <canvas ref={canvas.ref} width={{n3}} height={{n3}} role="img" aria-label="{label}" />;
});
`),
  statements: templateBlocks(`
if ({a}.{member} === undefined) return undefined;

for (const {d} of {a}.{member}) {
  if ({d}.{member} < {const}) continue;
  {c} += {fn}({d}, {b});
}

const {e} = {fn}({a}, { {member}: {n3}, silent: true });

const ratio = window.devicePixelRatio || 1;

{b}.beginPath();
{b}.moveTo({a}.{member} + 0.5, {n2});
{b}.lineTo({a}.{member} + 0.5, {a}.{member});
{b}.stroke();

if ({fn}({a}) > {n3}) {
  {c} = {fn}({a}, {b} - {n1});
} else {
  {c} = {const};
}

const {e} = {a}.{member}.filter((item) => item.{member} >= {n2}).map((item) => item.{member});

cache.set({a}.{member}, {fn}({a}));

const key = [{a}.{member}, {b}].join(":");
const hit = {a}Cache.get(key);
if (hit) return hit;

while ({d} < {a}.{member}.length && {a}.{member}[{d}] !== {const}) {d}++;

try {
  await {fn}({a});
} catch (error) {
  report("{verb}/{a}", error, { {member}: {a}.{member} });
  throw error;
}

const { {d}, {e} } = {fn}({a}, {const});

requestAnimationFrame(() => {
  {fn}({a}, {n2});
  {a}.{member} = undefined;
});

switch ({a}.{member}) {
  case "{member}":
    {c} = {n2};
    break;
  case "{member}":
    {c} = {fn}({a}, {n3});
    break;
  default:
    {c} = 0;
}

const {d} = Math.round({fn}({a}) * ratio) / ratio;

{a}.{member}.sort((left, right) => left.{member} - right.{member} || left.{member} - right.{member});

invariant({b} > 0, "{b} must be positive");

const bounds = {b}.measureText({a}.{member});
if (bounds.width > {const}) {fn}({a}, bounds.width);

store.dispatch({ type: "{a}/{verb}", {member}: {a}.{member} });

const [first, ...rest] = {fn}({a});
{c} += rest.length === 0 ? {n1} : {fn}(first);

performance.mark("{a}:{verb}");
`),
  guards: templateBlocks(`
if ({x} === undefined) return;

if ({x} >= {const}) {
  {fn}({x});
  return;
}

const {member} = Math.min({fn}({x}), {const});

if (!Number.isFinite({x})) throw new RangeError("{x} is not a number");

{fn}({x}, { {member}: {const} });

invariant({x} <= {const}, "{x} grew past its limit");

if ({fn}({x})) {x}.{member} = {const};
`),
  tests: {
    head: templateLines(`import { describe, expect, it, vi } from "vitest";
@imports`),
    open: templateLines('describe("{Purpose}", () => {'),
    test: templateBlocks(`
  it("{self}", () => {
    const {a} = {fn}([{n2}, {n3}, {n4}]);
    expect({a}.{member}).toBe({n3});
    expect({a}.{member}).toHaveLength({n1});
  });

  it("{self}", () => {
    const {a} = vi.fn();
    {fn}({ {b}: {n3}, {c}: "{member}" }, {a});
    expect({a}).toHaveBeenCalledTimes({n1});
  });

  it("{self}", async () => {
    const {a} = await {fn}({n2});
    expect({a}).toMatchObject({ {member}: {n2}, {c}: {f1} });
  });

  it.each([{n1}, {n2}, {n3}])("{self}", ({a}) => {
    expect({fn}({a}, {f1})).toBeCloseTo({f1}, 3);
  });
`),
    close: "});",
  },
};
