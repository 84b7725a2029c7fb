/** What the user of `sim-docs` asks for: many small requests, the same few kinds of work on one part after the other. */
import type { Bilingual, Phase, Turn } from "../story.ts";

const docsAreas = ["src/parse", "src/link", "src/render", "src/search", "src/serve", "src/check"] as const;

/** Parts of the program as the user calls them, six an area. */
const things: Record<(typeof docsAreas)[number], readonly Bilingual[]> = {
  "src/parse": [
    { en: "tables", zh: "表格" },
    { en: "front matter", zh: "文首信息" },
    { en: "code fences", zh: "代码块" },
    { en: "footnotes", zh: "脚注" },
    { en: "headings", zh: "标题" },
    { en: "lists", zh: "列表" },
  ],
  "src/link": [
    { en: "anchors", zh: "锚点" },
    { en: "relative links", zh: "相对链接" },
    { en: "redirects", zh: "重定向" },
    { en: "versioned links", zh: "带版本的链接" },
    { en: "image paths", zh: "图片路径" },
    { en: "aliases", zh: "别名" },
  ],
  "src/render": [
    { en: "the side bar", zh: "侧栏" },
    { en: "the page title", zh: "页面标题" },
    { en: "the colours", zh: "配色" },
    { en: "the print layout", zh: "打印版式" },
    { en: "the copy button", zh: "复制按钮" },
    { en: "the outline", zh: "大纲" },
  ],
  "src/search": [
    { en: "the index", zh: "索引" },
    { en: "word stems", zh: "词干" },
    { en: "the ranking", zh: "排序" },
    { en: "highlights", zh: "高亮" },
    { en: "short queries", zh: "短查询" },
    { en: "the snippets", zh: "摘要" },
  ],
  "src/serve": [
    { en: "live reload", zh: "实时刷新" },
    { en: "the headers", zh: "响应头" },
    { en: "the cache", zh: "缓存" },
    { en: "the preview", zh: "预览" },
    { en: "the port", zh: "端口" },
    { en: "the start page", zh: "首页" },
  ],
  "src/check": [
    { en: "dead links", zh: "死链" },
    { en: "spelling", zh: "拼写" },
    { en: "missing pages", zh: "缺页" },
    { en: "long lines", zh: "长行" },
    { en: "orphans", zh: "孤页" },
    { en: "the report", zh: "报告" },
  ],
};

/** What can be wanted of a thing: `{it}` is its name. */
const wishes: readonly (Bilingual & { readonly phase: Phase; readonly deed: string })[] = [
  {
    phase: "build",
    deed: "support",
    en: "Add support for {it}, see docs/guide.md.",
    zh: "支持{it}，见 docs/guide.md 。",
  },
  { phase: "bug", deed: "repair", en: "Something is wrong with {it} on page {n}.", zh: "第 {n} 页的{it}有问题。" },
  { phase: "change", deed: "simplify", en: "Make {it} simpler, nobody gets it.", zh: "把{it}改简单些，没人看得懂。" },
  {
    phase: "measure",
    deed: "speed up",
    en: "Is {it} slow with {n} pages? Measure it.",
    zh: "{n} 页时{it}慢吗？测一下。",
  },
  { phase: "bug", deed: "harden", en: "A user lost {it} after the update.", zh: "有用户升级后丢了{it}。" },
  { phase: "review", deed: "review", en: "Please answer the review of {it}.", zh: "请回复关于{it}的评审。" },
  { phase: "change", deed: "rename", en: "We call {it} something else, update docs.", zh: "{it}改名了，更新文档。" },
  { phase: "build", deed: "test", en: "Cover {it} with tests before we go on.", zh: "先给{it}补测试。" },
  { phase: "change", deed: "limit", en: "Limit {it} to {n} entries a page.", zh: "每页{it}最多 {n} 项。" },
];

const count = 82;

/** Every area in turn; things and wishes move on at their own pace, so that no request comes twice. */
export const docsTurns: readonly Turn[] = Array.from({ length: count }, (_, index): Turn => {
  const area = docsAreas[index % docsAreas.length] ?? "src/parse";
  const round = Math.floor(index / docsAreas.length);
  const it = things[area][round % 6] ?? { en: "it", zh: "它" };
  const last = index === count - 1;
  const wish = wishes[(index + round) % wishes.length] ?? wishes[0];
  const n = 120 + 37 * index;
  const filled = (text: string, name: string): string => text.replaceAll("{it}", name).replaceAll("{n}", `${n}`);
  if (last || wish === undefined)
    return {
      phase: "release",
      area,
      goal: { en: "the release", zh: "发布" },
      subject: "release",
      user: { en: "Release it and stop there.", zh: "发布，然后结束。" },
    };
  return {
    phase: wish.phase,
    area,
    goal: { en: it.en, zh: it.zh },
    subject: `${wish.deed} ${it.en.replace("the ", "")}`,
    user: { en: filled(wish.en, it.en), zh: filled(wish.zh, it.zh) },
  };
});
