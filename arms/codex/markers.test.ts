import { describe, expect, it } from "vitest";
import { isBlank, isHarnessWritten } from "./markers.ts";

describe("a text that the harness wrote", () => {
  it.each([
    "# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\nuse tabs\n</INSTRUCTIONS>",
    "# agents.MD INSTRUCTIONS</instructions>",
    "<environment_context>\n  <cwd>/work</cwd>\n</environment_context>",
    "  <Skill>read</sKILL>\n",
    "<recommended_plugins>x</recommended_plugins>",
    "<subagent_notification>{}</subagent_notification>",
    "<turn_aborted></turn_aborted>",
    "\u0085<user_shell_command>ls</user_shell_command>\u3000",
    "<goal_context>x</goal_context>",
    "<external_docs>x</external_docs>",
    "<external_>x</external_>",
    '<external_a k="v">x</external_a k="v">',
    '<hook_prompt hook_run_id="1">x</hook_prompt>',
  ])("opens and closes with a known pair: %j", (text) => {
    expect(isHarnessWritten(text)).toBe(true);
  });

  it.each([
    "## AGENTS.md instructions</INSTRUCTIONS>",
    "# AGENTS.md instructions",
    "<environment_context>x</environment_context>.",
    '<environment_context a="b">x</environment_context>',
    "<environment_context>x</skill>",
    "</environment_context>",
    "<skills>x</skills>",
    "\ufeff<turn_aborted>x</turn_aborted>",
    "<s\u212aill>x</s\u212aill>",
    "<goal_context>x</GOAL_context>",
    "<external_a>x</external_b>",
    "<external_a>x</external_A>",
    "<external_a>",
    "<EXTERNAL_a>x</EXTERNAL_a>",
  ])("is not one that differs in tag, case or end: %j", (text) => {
    expect(isHarnessWritten(text)).toBe(false);
  });
});

describe("a hook's prompt", () => {
  it.each([
    '<b hook_run_id="7">bold</b> and more',
    "<hook_prompt a='1' x:hook_run_id='a\"b'>x\ny</hook_prompt\n>",
    '<hook_prompt hook_run_id="&amp;"a="2">1 &lt; 2 &#65; > 0</hook_prompt>',
    '<?xml version="1.0"?><!-- c --><hook_prompt hook_run_id="a>b">x<!-- c -->y</hook_prompt>',
    '\ufeff<hook_prompt hook_run_id="1"><![CDATA[a<b & c]]></hook_prompt>',
  ])("is an element of any name with a run id and a text, whatever follows: %j", (text) => {
    expect(isHarnessWritten(text)).toBe(true);
  });

  it.each([
    "<hook_prompt>x</hook_prompt>",
    '<hook_prompt hook_run_id=" ">x</hook_prompt>',
    "<hook_prompt hook_run_id=1>x</hook_prompt>",
    '<hook_prompt a hook_run_id="1">x</hook_prompt>',
    '<hook_prompt HOOK_run_id="1">x</hook_prompt>',
    '<hook_prompt hook_run_id="1" hook_run_id="2">x</hook_prompt>',
    '<hook_prompt hook_run_id="a&b">x</hook_prompt>',
    '<hook_prompt hook_run_id="1">a & b</hook_prompt>',
    '<hook_prompt hook_run_id="1">  </hook_prompt>',
    '<hook_prompt hook_run_id="1"/>',
    '<hook_prompt hook_run_id="1">a<b>c</b></hook_prompt>',
    '<hook_prompt hook_run_id="1">x</other>',
    '<hook_prompt hook_run_id="1">x',
    'see <hook_prompt hook_run_id="1">x</hook_prompt>',
  ])("is not one without id, without text, with other elements or broken: %j", (text) => {
    expect(isHarnessWritten(text)).toBe(false);
  });
});

it("takes for blank what is white space in Unicode: NEL is, a byte order mark is not", () => {
  expect(["", " \n\t", "\u0085", "\u2028", "\u3000"].filter(isBlank)).toHaveLength(5);
  expect(["\ufeff", "\u200b", "\u180e", "\u001c", " . "].filter(isBlank)).toEqual([]);
});

it("reads a long run of white space once", () => {
  expect(isHarnessWritten(`${" ".repeat(300_000)}x${" ".repeat(300_000)}`)).toBe(false);
});
