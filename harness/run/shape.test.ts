import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textTokens } from "../chain/tokens.ts";
import { ArtifactError } from "../errors.ts";
import { extract } from "../exam/extract.ts";
import { defaultShapePath, readShape } from "./shape.ts";

const folder = mkdtempSync(join(tmpdir(), "shape-"));
function file(text: string | Uint8Array): string {
  const path = join(folder, "shape.json");
  writeFileSync(path, text);
  return path;
}

/** The message of the error that reading throws. */
function complaint(path: string): string {
  try {
    readShape(path);
  } catch (error) {
    if (error instanceof ArtifactError) return error.message;
    throw error;
  }
  throw new Error("no complaint");
}

describe("the default session shape", () => {
  const shape = readShape(defaultShapePath);

  it("has a system prompt of about 2,500 estimated tokens and the four tools of a coding agent", () => {
    expect(textTokens(shape.system)).toBeGreaterThan(2400);
    expect(textTokens(shape.system)).toBeLessThan(2600);
    expect(shape.tools.map(({ name }) => name)).toEqual(["read", "write", "edit", "shell"]);
  });

  it("describes every argument of every tool and allows no other", () => {
    for (const { description, parameters } of shape.tools) {
      expect(description.length).toBeGreaterThan(100);
      expect(parameters["additionalProperties"]).toBe(false);
      const properties = parameters["properties"] as { readonly [name: string]: { readonly description: string } };
      for (const property of Object.values(properties)) expect(property.description.length).toBeGreaterThan(20);
      for (const name of parameters["required"] as readonly string[]) expect(Object.keys(properties)).toContain(name);
    }
  });

  it("holds no value that the exam could ask for", () => {
    const text = `${shape.system}\n${JSON.stringify(shape.tools)}`;
    const found = extract([
      { id: "a", kind: "text", role: "assistant", text },
      { id: "u", kind: "text", role: "user", text },
      { id: "t", kind: "tool_result", role: "tool", call: "c", text },
    ]);
    expect(found).toEqual({ assistant: [], user: [], tool: [] });
  });
});

describe("a session shape from a file", () => {
  const tool = { name: "read", description: "", parameters: { type: "object" } };
  const shape = { name: "mine", system: "You code.", tools: [tool] };

  it("is read back with its name, a byte order mark or not", () => {
    expect(readShape(file(JSON.stringify(shape)))).toEqual(shape);
    expect(readShape(file(`\ufeff${JSON.stringify(shape)}`))).toEqual(shape);
  });

  it.each([
    ["{", /is not JSON\. Give a session shape/],
    ["[]", /is no session shape: expected object/],
    [JSON.stringify({ ...shape, system: undefined }), /is no session shape at "system": expected string/],
    [JSON.stringify({ ...shape, system: "" }), /at "system": Too small/],
    [JSON.stringify({ ...shape, model: "x" }), /is no session shape: Unrecognized key: "model"/],
    [
      JSON.stringify({ ...shape, tools: [{ ...tool, parameters: 1 }] }),
      /at "tools\.0\.parameters": expected a JSON Schema/,
    ],
    [JSON.stringify({ ...shape, tools: [tool, tool] }), /defines the tool "read" twice/],
    [Uint8Array.of(0x22, 0xff, 0x22), /is not UTF-8 text/],
  ])("is refused in one line that names the file: %j", (text, message) => {
    const path = file(text);
    expect(complaint(path)).toMatch(message);
    expect(complaint(path).startsWith(`${path}: `)).toBe(true);
    expect(complaint(path)).not.toContain("\n");
  });

  it("that is missing or is a folder is named", () => {
    expect(complaint(join(folder, "none.json"))).toMatch(/none\.json: does not exist\. Give a session shape/);
    expect(complaint(folder)).toMatch(/cannot be read \(EISDIR\)/);
  });
});
