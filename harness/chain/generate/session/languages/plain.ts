/** Files that are not source code: configuration, notes, style sheets, data. */
import type { Random } from "../../../../random.ts";
import {
  type Makers,
  type Template,
  template,
  templateLines,
  writeLine,
  writer,
  writeTemplate,
  writtenText,
} from "../template.ts";

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

/** A configuration or text file of the given extension, of about `wanted` lines. */
export function plainText(random: Random, extension: string, wanted: number, makers: Makers, title: string): string {
  const out = writer();
  const put = (line: Template): void => writeTemplate(out, line, makers);
  const some = (lines: readonly Template[], from: number, to: number): void => {
    for (let left = random.range(from, to); left > 0; left--) put(random.pick(lines));
  };
  switch (extension) {
    case "toml":
      writeLine(out, `# ${title}`);
      while (out.lines < wanted) {
        writeLine(out, "");
        put(tableHead);
        some(tomlLines, 3, 9);
      }
      return writtenText(out);
    case "yaml":
      writeLine(out, `# ${title}`);
      while (out.lines < wanted) {
        put(mappingHead);
        some(yamlLines, 3, 9);
      }
      return writtenText(out);
    case "css":
      while (out.lines < wanted) {
        put(ruleHead);
        some(cssLines, 2, 7);
        writeLine(out, "}");
        writeLine(out, "");
      }
      return writtenText(out);
    case "json":
      writeLine(out, "{");
      some(jsonLines, wanted - 3, wanted);
      writeLine(out, `  "comment": ${JSON.stringify(title)}`);
      writeLine(out, "}");
      return writtenText(out);
    default:
      writeLine(out, `# ${title}`);
      while (out.lines < wanted) {
        writeLine(out, "");
        put(section);
        writeLine(out, "");
        some(markdownLines, 3, 9);
      }
      return writtenText(out);
  }
}
