/** A request as blocks in cache order: tools, system, messages. */
import type { Block, Message } from "../chain/message.ts";
import { messageTokens, quarterTokens, textTokens, tokensOfQuarters } from "../chain/tokens.ts";
import type { PrefixBlock } from "../shape/cache-rules.ts";
import type { Decoded } from "./wire.ts";

type Read = Pick<Decoded, "tools" | "system" | "messages" | "breakpoints" | "messageSettings">;

/** One block a tool, a system text and a block of a message. Their tokens add up to the estimate of the request's input. */
export function prefixBlocks({ messageSettings = "", ...read }: Read): PrefixBlock[] {
  return bound(plainBlocks(read), messageSettings);
}

/** Blocks of which the messages are equal only under equal settings. */
export const bound = (blocks: PrefixBlock[], settings: string): PrefixBlock[] =>
  settings === ""
    ? blocks
    : blocks.map((block) =>
        block.by === "tools" || block.by === "system" ? block : { ...block, head: block.head + settings },
      );

/** The same whatever the settings are. */
export function plainBlocks({ tools, system, messages, breakpoints }: Omit<Read, "messageSettings">): PrefixBlock[] {
  const marked = (what: Decoded["tools"][number] | Block, block: PrefixBlock): PrefixBlock => {
    const life = breakpoints.get(what);
    return life === undefined ? block : { ...block, breakpoint: life };
  };
  const systemBlocks = system.map((block) =>
    marked(block, { by: "system", head: "text", text: block.text, tokens: textTokens(block.text) }),
  );
  return [
    ...toolBlocks(tools, marked),
    ...systemBlocks,
    ...messages.flatMap((message) =>
      messageBlocks(message).map((block, at) => marked(message.blocks[at] as Block, block)),
    ),
  ];
}

/** The tools as a JSON list, cut behind each of them. The list is rounded up once, and its end costs what it costs with the last tool. */
function toolBlocks(
  tools: Read["tools"],
  marked: (tool: Read["tools"][number], block: PrefixBlock) => PrefixBlock,
): PrefixBlock[] {
  if (tools.length === 0) return [{ by: "tools", head: "none", text: "", tokens: textTokens("[]") }];
  let quarters = 0;
  return tools.map((tool, at) => {
    const text = `${at === 0 ? "[" : ","}${JSON.stringify(tool)}`;
    const before = tokensOfQuarters(quarters);
    quarters += quarterTokens(text) + (at === tools.length - 1 ? quarterTokens("]") : 0);
    return marked(tool, { by: "tools", head: "tool", text, tokens: tokensOfQuarters(quarters) - before });
  });
}

/** The blocks of one message; what its frame costs is with the first. */
export function messageBlocks(message: Message): PrefixBlock[] {
  const { role, blocks } = message;
  const frameTokens = messageTokens({ ...message, blocks: [] });
  return blocks.map((block, at) => {
    const tokens = blocks.length === 1 ? messageTokens(message) : messageTokens({ ...message, blocks: [block] });
    return { by: role, ...written(block), tokens: at === 0 ? tokens : tokens - frameTokens };
  });
}

function written(block: Block): Pick<PrefixBlock, "head" | "text"> {
  switch (block.kind) {
    case "call":
      return { head: `call ${block.call} ${block.tool}`, text: JSON.stringify(block.args) };
    case "result":
      return { head: `result ${block.call}${block.error ? " error" : ""}`, text: block.text };
    case "image":
      return { head: `image ${block.mediaType}`, text: block.data };
    case "text":
    case "reasoning":
      return { head: block.kind, text: block.text };
  }
}
