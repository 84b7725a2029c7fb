/** Anthropic messages: `POST /v1/messages`. */
import * as z from "zod";
import { pairFaults } from "../chain/message.ts";
import type { JsonObject } from "../json.ts";
import type { Life } from "../shape/cache-rules.ts";
import { messageSettings } from "../shape/prefix.ts";
import { checked, jsonObject } from "./body.ts";
import {
  createHistory,
  type HistoryBuilder,
  imageBlock,
  resultBlock,
  textBlock,
  toolChoiceOf,
  toolOf,
} from "./history.ts";
import { framesOf, problemOf, wholeOf } from "./messages-reply.ts";
import { type Decoded, eventFrame, Refusal, type Wire } from "./wire.ts";

const control = z.looseObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() }).nullish();
const text = z.looseObject({
  type: z.literal("text"),
  text: z.string().regex(/\S/, "text has to hold something besides white space"),
  cache_control: control,
});
const image = z.looseObject({
  type: z.literal("image"),
  source: z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
    z.looseObject({ type: z.literal("url"), url: z.string() }),
  ]),
  cache_control: control,
});
const name = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);
const id = z.string().regex(/^[A-Za-z0-9_-]+$/);
const block = z.discriminatedUnion("type", [
  text,
  image,
  z.looseObject({ type: z.literal("tool_use"), id, name, input: jsonObject, cache_control: control }),
  z.looseObject({
    type: z.literal("tool_result"),
    tool_use_id: id,
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image]))]).nullish(),
    is_error: z.boolean().nullish(),
    cache_control: control,
  }),
  z.looseObject({ type: z.literal("thinking"), thinking: z.string() }),
  z.looseObject({ type: z.literal("redacted_thinking"), data: z.string() }),
]);
const request = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  system: z.union([z.string(), z.array(text)]).nullish(),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(["user", "assistant", "system"]),
        content: z.union([text.shape.text, z.array(block).min(1)]),
      }),
    )
    .min(1),
  tools: z
    .array(z.looseObject({ name, description: z.string().nullish(), input_schema: jsonObject, cache_control: control }))
    .nullish(),
  stream: z.boolean().nullish(),
  cache_control: control,
});

type Block = z.infer<typeof block>;
type Control = z.infer<typeof control>;

/** Breakpoints that one request may have. */
const mostBreakpoints = 4;

export const messagesWire: Wire = {
  route: "messages",
  path: "/messages",
  decode,
  whole: wholeOf,
  frames: framesOf,
  problem: problemOf,
  problemFrame: (refusal) => eventFrame({ ...problemOf(refusal), type: "error" }),
};

function decode(body: unknown): Decoded {
  const read = checked(request, body);
  const history = createHistory();
  for (const { input_schema: parameters, cache_control: mark, ...fields } of read.tools ?? [])
    history.tool(toolOf(fields.name, fields as unknown as JsonObject, parameters), lifeOf(mark));
  const system = typeof read.system === "string" ? [{ text: read.system, cache_control: undefined }] : read.system;
  for (const { text, cache_control: mark } of system ?? []) if (text !== "") history.system(text, lifeOf(mark));
  for (const { role, content } of read.messages) {
    history.close();
    if (typeof content !== "string") for (const one of content) addBlock(history, role, one);
    else if (role === "system") history.system(content);
    else history.add(role, textBlock(content));
  }
  const decoded = history.done();
  check(decoded, read.cache_control);
  return {
    ...decoded,
    breakpoints: withAutomatic(decoded, read.cache_control),
    toolChoice: toolChoiceOf(read["tool_choice"]),
    model: read.model,
    explicitOnly: true,
    messageSettings: messageSettings(body as JsonObject),
    cacheKey: undefined,
    maxOutputTokens: read.max_tokens,
    stream: read.stream ?? false,
    streamsUsage: true,
  };
}

function addBlock(history: HistoryBuilder, by: "user" | "assistant" | "system", one: Block): void {
  const role = by === "system" ? "user" : by;
  switch (one.type) {
    case "text":
      return by === "system"
        ? history.system(one.text, lifeOf(one.cache_control))
        : history.add(role, textBlock(one.text), lifeOf(one.cache_control));
    case "image":
      return history.add(role, imageOf(one), lifeOf(one.cache_control));
    case "tool_use":
      return history.add(
        role,
        { kind: "call", call: one.id, tool: one.name, args: one.input },
        lifeOf(one.cache_control),
      );
    case "tool_result": {
      const parts = typeof one.content === "string" ? [] : (one.content ?? []);
      const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
      const body = typeof one.content === "string" ? one.content : texts.join("\n");
      history.add("tool", resultBlock(one.tool_use_id, body, one.is_error ?? false), lifeOf(one.cache_control));
      for (const part of parts) if (part.type === "image") history.add("tool", imageOf(part));
      return;
    }
    case "thinking":
      return history.add(role, { kind: "reasoning", text: one.thinking });
    case "redacted_thinking":
      return history.add(role, { kind: "reasoning", text: one.data });
  }
}

const imageOf = ({ source }: z.infer<typeof image>) =>
  source.type === "base64"
    ? ({ kind: "image", mediaType: source.media_type, data: source.data } as const)
    : imageBlock(source.url);

const lifeOf = (mark: Control): Life | undefined => (mark ? (mark.ttl === "1h" ? "hour" : "minutes") : undefined);

/** Throws Refusal for what the API refuses although the shape is right. */
function check({ tools, messages, breakpoints }: ReturnType<HistoryBuilder["done"]>, automatic: Control): void {
  const [fault] = pairFaults(messages);
  if (fault !== undefined) throw new Refusal(400, `messages: ${fault}.`);
  if (tools.length === 0 && messages.some(({ blocks }) => blocks.some(({ kind }) => kind === "call")))
    throw new Refusal(400, "tools: a request whose messages hold tool_use blocks has to define tools.");
  const lives = [...breakpoints.values(), ...(automatic ? [lifeOf(automatic)] : [])];
  if (lives.length > mostBreakpoints)
    throw new Refusal(400, `cache_control: ${lives.length} blocks have one, and at most ${mostBreakpoints} may.`);
  if (lives.lastIndexOf("hour") > lives.indexOf("minutes") && lives.includes("minutes"))
    throw new Refusal(400, "cache_control: a breakpoint of 1h stands behind one of 5m; the longer ones come first.");
}

/** The breakpoints with that of automatic caching, which stands behind the last block. */
function withAutomatic({ messages, breakpoints }: ReturnType<HistoryBuilder["done"]>, automatic: Control) {
  const last = messages.at(-1)?.blocks.at(-1);
  const life = lifeOf(automatic);
  return last === undefined || life === undefined ? breakpoints : new Map([...breakpoints, [last, life]]);
}
