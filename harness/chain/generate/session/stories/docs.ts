/** `sim-docs`: a generator of documentation sites, asked for one small thing after the other. In no exam: it only fills a window. */
import { causes, findings, phrases, type Story, words } from "../story.ts";
import { template, templateLines } from "../template.ts";
import { docsTurns } from "./docs-turns.ts";

export const docs: Story = {
  project: "leafpress",
  language: "typescript",
  start: "2026-05-06T09:30:00Z",
  version: [2, 7, 1],
  firstPr: 640,
  tests: 318,
  people: ["Pilar Otero", "Jonas Lindqvist", "Wei Tan", "Ngozi Eze"],
  tree: {
    ".": ["package.json", "README.md"],
    "src/parse": words("tokens.ts blocks.ts tables.ts matter.ts fences.ts tables.test.ts matter.test.ts"),
    "src/link": words("resolve.ts anchors.ts redirects.ts versions.ts anchors.test.ts resolve.test.ts"),
    "src/render": words("page.ts sidebar.ts outline.ts theme.ts print.ts outline.test.ts sidebar.test.ts"),
    "src/search": words("index.ts stems.ts rank.ts snippets.ts rank.test.ts stems.test.ts"),
    "src/serve": words("server.ts reload.ts headers.ts cache.ts cache.test.ts reload.test.ts"),
    "src/check": words("links.ts orphans.ts spelling.ts report.ts links.test.ts orphans.test.ts"),
    styles: words("page.css print.css tokens.css"),
    docs: words("guide.md themes.md upgrade.md"),
    samples: words("handbook.json api.json"),
  },
  claims: {
    what: words("keeps drops resolves orders escapes counts merges splits finds marks reports"),
    when: [
      "in a nested list",
      "for an empty page",
      "with two versions",
      "at the end of a file",
      "without a title",
      "after a rename",
      "in the dark theme",
      "with wide characters",
    ],
  },
  choices: {},
  areas: {
    "src/parse": {
      verbs: words("read split join close escape trim nest match skip fold"),
      nouns: words("token block cell row fence marker indent heading list line"),
      subjects: phrases(`
        a nested list
        an open fence
        the last row
        a heading without text
        two footnotes
      `),
      remarks: phrases(`
        a fence that is never closed ends with the file
        a table without a head is a paragraph
        tabs count as four columns
        the first heading is the title unless there is another
      `),
      causes: causes(`
        {n2} | {off} | the closing fence is read as text | 结束的围栏被当成文字
        '' | '{h7}' | the last cell of a row is dropped | 行的最后一格丢了
      `),
    },
    "src/link": {
      verbs: words("resolve follow rewrite map guess pin relate check drop keep"),
      nouns: words("anchor target version alias path page base redirect slug fragment"),
      subjects: phrases(`
        a moved page
        an anchor with accents
        the old version
        a link to itself
        two aliases
      `),
      remarks: phrases(`
        an anchor is made of the heading and not of its number
        a moved page leaves a redirect behind
        links between versions are pinned
        a trailing slash changes what a path is relative to
      `),
      causes: causes(`
        '/a/' | '/a' | the trailing slash is dropped | 末尾的斜杠丢了
        {n1} | {off} | the redirect is followed twice | 重定向被跟了两次
      `),
    },
    "src/render": {
      verbs: words("draw place wrap measure shade print indent toggle mark order"),
      nouns: words("page side outline theme level entry title margin button layout"),
      subjects: phrases(`
        a long title
        the open entry
        the third level
        an empty outline
        the print margin
      `),
      remarks: phrases(`
        the side bar is drawn once a version
        only the open branch is expanded
        print drops everything that can be clicked
        a title wraps before it is cut
      `),
      causes: causes(`
        {n2} | {off} | the third level is counted as the second | 第三级被算成第二级
        'open' | 'closed' | the open entry is matched by title | 展开的条目按标题匹配
      `),
    },
    "src/search": {
      verbs: words("index stem rank score cut match weigh store load merge"),
      nouns: words("term stem score field query snippet weight shard posting word"),
      subjects: phrases(`
        a query of one letter
        the title field
        equal scores
        a missing shard
        words in two languages
      `),
      remarks: phrases(`
        a match in the title weighs more than ten in the text
        equal scores are ordered by path
        one shard is loaded for one first letter
        snippets are cut at words
      `),
      causes: causes(`
        {f2} | {f2} | the length of a field is counted twice | 字段长度被算了两次
        {n3} | {off} | terms of removed pages stay in the index | 已删除页面的词还在索引里
      `),
    },
    "src/serve": {
      verbs: words("serve watch send push expire reload route listen hash guard"),
      nouns: words("header client socket cache change route port digest response folder"),
      subjects: phrases(`
        a second client
        a changed style
        the cached page
        a taken port
        the missing folder
      `),
      remarks: phrases(`
        a changed style is pushed without a reload
        the cache is keyed by content and not by time
        the next free port is taken and said
        a missing page answers with the closest one
      `),
      causes: causes(`
        304 | 200 | the digest is taken before the theme | 摘要在套用主题之前计算
        {n1} | {off} | the watcher reports one change twice | 监听器把一次改动报了两次
      `),
    },
    "src/check": {
      verbs: words("check list report count fail warn group visit spell compare"),
      nouns: words("link orphan page word line report rule finding severity summary"),
      subjects: phrases(`
        a dead link
        an orphan page
        a word in code
        the longest line
        the summary line
      `),
      remarks: phrases(`
        words in code are not spelled
        a page that only the side bar links to is no orphan
        a finding names its file, its line and its rule
        warnings never change the exit code
      `),
      causes: causes(`
        1 | 0 | a warning changes the exit code | 警告改变了退出码
        {n2} | {off} | links in code are followed | 代码里的链接也被检查了
      `),
    },
  },
  words: {
    page: words("install.md start.md themes.md api/index.md api/search.md upgrade.md faq.md deploy.md"),
    rule: words("dead-link orphan spelling long-line heading-order missing-alt"),
    term: words("install theme outline anchor shard preview version redirect"),
  },
  past: phrases(`
    parse: close fences at the end of the file
    link: leave redirects behind
    render: print without buttons
    search: shards by first letter
    serve: push styles without a reload
    check: no spelling in code
    docs: how to move a page
    tests: a site of 2,000 pages
    render: draw the side bar once
    search: order equal scores by path
  `),
  logs: [
    {
      commands: templateLines(`
npx leafpress build samples/handbook.json --verbose
npx leafpress serve docs --trace 2>&1 | tail -n {n3}
npx leafpress check docs --all --verbose
`),
      head: templateLines(`
[{tick}] leafpress {ver}, {total} pages, theme {h7}
[{tick}] cache {mib}, {n2} shards
`),
      lines: templateLines(`
[{tick}] parse {page}: {n3} blocks, {n4} tokens in {f1} ms
[{tick}] link {page}: {n2} anchors, {n1} redirects
[{tick}] render {page} -> dist/{h8}.html {kb}
[{tick}] search {term}: {n3} postings, shard {n1}, {kb}
[{tick}] serve GET /{page} 200 {n3} ms etag {h12}
[{tick}] check {page}:{n3} {rule} "{term}"
[{tick}] render {page}: outline of {n2} entries, level {n1}
[{tick}] page {seq} of {total}, heap {mem}
`),
      findings: findings(`
[{tick}] check {page}:{n3} dead-link #{h7}, {trace}
 -> {page} has a dead link in line {n3} ({trace}) -> {page} 第 {n3} 行有死链（{trace}）
[{tick}] search shard {n1} has {mib}, over its limit
 -> shard {n1} has {mib} and is over its limit -> 分片 {n1} 有 {mib} ，超限了
[{tick}] serve {page} was rendered {n2} times for one change
 -> {page} was rendered {n2} times for one change -> {page} 因一次改动渲染了 {n2} 次
[{tick}] link {page} redirects {n1} times, last to {h10}
 -> {page} redirects {n1} times, last to {h10} -> {page} 重定向 {n1} 次，最后到 {h10}
`),
    },
  ],
  json: [
    {
      commands: templateLines(`
cat dist/search/{h8}.json
npx leafpress check docs --json
`),
      open: template('{\n  "build": "{ver}",\n  "pages": ['),
      entries: templateLines(`
    {"id": {seq}, "page": "{page}", "title": "{term}", "bytes": {n5}, "hash": "{h10}"}
    {"id": {seq}, "term": "{term}", "postings": {n3}, "weight": {f2}, "shard": {n1}}
    {"id": {seq}, "page": "{page}", "line": {n3}, "rule": "{rule}", "hash": "{h8}"}
`),
      close: template('  ],\n  "trace": "{trace}",\n  "peak": "{mem}"\n}'),
      findings: findings(`
    {"id": {seq}, "page": "{page}", "orphan": true, "hash": "{h10}"}
 -> {page} is an orphan ({h10}) -> {page} 是孤页（{h10}）
    {"id": {seq}, "term": "{term}", "postings": 0, "shard": {n1}, "size": "{mib}"}
 -> "{term}" has no postings in shard {n1} ({mib}) -> "{term}" 在分片 {n1} （{mib}）里没有条目
`),
    },
  ],
  benchCommands: templateLines(`
npm run bench -- --pages {n4}
node scripts/bench.ts --warm
`),
  bench: [
    { about: ["src/parse"], en: "parse, 2,000 pages", zh: "解析两千页", ms: 388, mib: 142 },
    { about: ["src/link"], en: "resolve, 40,000 links", zh: "解析四万个链接", ms: 211, mib: 96 },
    { about: ["src/render"], en: "render, 2,000 pages", zh: "渲染两千页", ms: 877, mib: 260 },
    { about: ["src/search"], en: "index, 2,000 pages", zh: "索引两千页", ms: 640, mib: 311 },
    { about: ["src/search"], en: "query, 1,000 terms", zh: "一千次查询", ms: 74, mib: 48 },
    { about: ["src/serve"], en: "reload after a change", zh: "改动后刷新", ms: 63, mib: 55 },
    { about: ["src/check"], en: "check, whole site", zh: "检查整个站点", ms: 702, mib: 187 },
  ],
  crashes: {
    "src/parse": findings(`
RangeError: Maximum call stack size exceeded in {page} after {n4} levels
 -> {page} nests {n4} levels -> {page} 嵌套了 {n4} 层
SyntaxError: Unterminated string in JSON at position {n5}
 -> front matter that is cut at {n5} -> 文首信息在 {n5} 处被截断
`),
    "src/serve": findings(`
Error: listen EADDRINUSE: address already in use 127.0.0.1:{n4}
 -> port {n4} is taken -> 端口 {n4} 被占用
TypeError: Cannot read properties of undefined (reading '{term}') at {h8}
 -> a route without "{term}" ({h8}) -> 缺少 "{term}" 的路由（{h8}）
`),
  },
  build: {
    commands: templateLines(`
npm run build && ls -l dist
npm pack --dry-run
`),
    head: templateLines(`
> leafpress@2.7.{n1} build
> node scripts/build.ts
`),
    lines: templateLines(`
dist/{h8}.js {kb} gzip {kb}
npm notice {kb} {path}
transformed {n4} modules in {f1} s
chunk {h12} {kb}
`),
    findings: findings(`
npm notice package size: {mb}, unpacked {mib}, shasum {h40}
 -> the package has {mb}, {mib} unpacked -> 包大小 {mb} ，解压后 {mib}
dist/{h8}.js {kb} is over the limit
 -> the bundle {h8} has {kb} and is over the limit -> 打包文件 {h8} 有 {kb} ，超限
`),
  },
  turns: docsTurns,
};
