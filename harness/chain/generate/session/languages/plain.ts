/** Files that are not source code: configuration, notes, style sheets, data. */
import type { Random } from "../../../../random.ts";
import { type Makers, render, template, templateLines } from "../template.ts";

const tomlLines = templateLines(`
{noun}_{member} = {n3}
{noun}_limit = {n4}
{noun}_{member} = "{verb}-{n2}"
{noun}_steps = [{n2}, {n3}, {n4}]
{noun}_ratio = {p2}
# {remark}
{verb}_{noun} = true
{verb}_after = "{n2}s"
{noun}_build = "{ver}"
`);

const yamlLines = templateLines(`
  {noun}_{member}: {n3}
  {noun}_limit: {n4}
  {member}: "{noun}-{n2}"
  {verb}_after: {n2}s
  # {remark}
  {noun}_ratio: {p2}
  {verb}_{noun}: false
  {noun}_build: {ver}
`);

const markdownLines = templateLines(`
- {remark}; the {noun} {member} stays at {n3}.
- {remark}.
The {noun} {member} is read by {path} and nowhere else.
We measured {mib} for one {noun}; it was {n2} ms before {day}.
- Set {noun}_{member} to {n3} when the {noun} is larger than {mib}.
| {noun} {member} | {n3} | {mib} | {remark} |
Do not {verb} a {noun} twice: {remark}.
`);

const cssLines = templateLines(`
  padding: {n1}px {n2}px;
  border-radius: {n1}px;
  color: var(--{noun}-ink);
  background: color-mix(in srgb, var(--{noun}-fill) {n2}%, transparent);
  grid-template-columns: {n3}px 1fr {n2}px;
  transition: opacity {n3}ms ease-out;
  font: 500 {n2}px/1.4 var(--{noun}-face);
  /* {remark} */
`);

const jsonLines = templateLines(`
  "{noun}_{member}": {n3},
  "{noun}_limit": {n4},
  "{member}": "{noun}-{n2}",
  "{noun}_ratio": {p2},
  "{verb}_{noun}": true,
  "{noun}_steps": [{n2}, {n3}, {n3}],
`);

const tableHead = template("[{noun}.{member}]");
const mappingHead = template("{noun}_{member}:");
const ruleHead = template(".{noun}-{member} {");
const section = template("## {noun} and {noun}");

/** The lines of a configuration or text file of the given extension. */
export function plainLines(random: Random, extension: string, wanted: number, makers: Makers, title: string): string[] {
  const out: string[] = [];
  const some = (lines: typeof tomlLines, from: number, to: number): void => {
    for (let left = random.range(from, to); left > 0; left--) out.push(render(random.pick(lines), makers));
  };
  switch (extension) {
    case "toml":
      out.push(`# ${title}`);
      while (out.length < wanted) {
        out.push("", render(tableHead, makers));
        some(tomlLines, 3, 9);
      }
      return out;
    case "yaml":
      out.push(`# ${title}`);
      while (out.length < wanted) {
        out.push(render(mappingHead, makers));
        some(yamlLines, 3, 9);
      }
      return out;
    case "css":
      while (out.length < wanted) {
        out.push(render(ruleHead, makers));
        some(cssLines, 2, 7);
        out.push("}", "");
      }
      return out;
    case "json":
      out.push("{");
      some(jsonLines, wanted - 3, wanted);
      out.push(`  "comment": ${JSON.stringify(title)}`, "}");
      return out;
    default:
      out.push(`# ${title}`);
      while (out.length < wanted) {
        out.push("", render(section, makers), "");
        some(markdownLines, 3, 9);
      }
      return out;
  }
}
