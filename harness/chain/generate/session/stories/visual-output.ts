/** What the programs of `sim-visual` print, and what happened before. */
import { findings, phrases, type Story, words } from "../story.ts";
import { template, templateLines } from "../template.ts";

type Output = "words" | "past" | "logs" | "json" | "bench" | "benchCommands" | "crashes" | "build";

const drawing = ["src/scale", "src/canvas", "src/chart"];
const handling = ["src/state", "src/io", "src/ui"];

export const visualOutput: Pick<Story, Output> = {
  words: {
    label: ["Zoom to fit", "Copy as image", "Reset the axis", "Pin tooltip", "Show legend", "Export selection"],
    chart: words("sales-by-week rainfall latency-heat price-scatter stock-bars visits-by-hour"),
    hue: words("#0072b2 #e69f00 #009e73 #cc79a7 #56b4e9 #d55e00 #4a4a4a"),
    browser: words("chromium firefox webkit"),
  },
  past: phrases(`
    scale: nice steps for years
    canvas: keep one surface for each layer
    chart: gaps for missing values
    state: freeze snapshots in development
    io: quote fields with line breaks
    ui: remember the width of the panel
    build: drop the old bundler
    styles: tokens for the dark theme
    chart: draw the axis above the bars
    canvas: measure text once
    io: embed fonts in svg
    ui: ignore shortcuts in text fields
    tests: screenshots in three browsers
  `),
  logs: [
    {
      about: drawing,
      commands: templateLines(`
npx playwright test e2e/{chart}.spec.ts --project={browser}
node scripts/render.mjs fixtures/sales.json --trace
npm run -s screenshots -- --chart {chart}
`),
      head: templateLines(`
{tick} INFO  render: {chart}, {total} points, pixel ratio 2, build {ver}
{tick} INFO  render: surface 1920x1080, {n1} layers
`),
      lines: templateLines(`
{tick} DEBUG paint: layer={n1} rects={n2} glyphs={n3} in {f1} ms
{tick} DEBUG scale: domain [{n2}, {n4}] -> {n1} ticks, step {n2}
{tick} DEBUG hitmap: id={seq} colour=#{h8} at {n3},{n3}
{tick} INFO  frame: {seq} of {total}, {f1} ms, {n1} dirty
{tick} DEBUG cache: glyph run {h10} hit, {n2} glyphs
{tick} WARN  frame: {f2} ms is over budget in {chart}
{tick} DEBUG paint: fill {hue} rect {n3}x{n2} at {n3},{n3}
{tick} DEBUG chart: bucket {seq} holds {n3} points, shade {p2}
{tick} INFO  shot: {chart}-{browser}.png {h12} matches
{tick} DEBUG legend: {n1} swatches in {n1} columns, first {hue}
`),
      findings: findings(`
{tick} WARN  shot: {chart}-{browser}.png differs in {n3} pixels, {trace}
 -> the screenshot of {chart} differs in {n3} pixels ({trace}) -> {chart} 的截图有 {n3} 个像素不同（{trace}）
{tick} WARN  paint: layer={n1} was painted twice in frame {n3}
 -> layer {n1} is painted twice in frame {n3} -> 第 {n3} 帧里图层 {n1} 画了两次
{tick} INFO  cache: {mib} of glyphs, {n3} runs, digest {h10}
 -> the glyph cache holds {mib} -> 字形缓存占 {mib}
{tick} WARN  surface: asked for {n4}x{n4}, browser gave {n4}x{n4}
 -> {browser} gives a smaller surface than asked for -> {browser} 给的画布比请求的小
`),
    },
    {
      about: handling,
      commands: templateLines(`
npx playwright test e2e/board.spec.ts --project={browser}
npm run -s dev -- --once --verbose
node scripts/replay.mjs fixtures/weather.json --session {h8}
`),
      head: templateLines(`
{tick} INFO  board: session {trace}, build {ver}
{tick} INFO  store: restored {total} actions from {h10}
`),
      lines: templateLines(`
{tick} DEBUG store: action {seq} {noun}/{verb} patch={h8} listeners={n1}
{tick} DEBUG undo: depth {n3}, snapshot {h10} shares {p2}
{tick} DEBUG io: field {seq} "{noun}", {n2} characters
{tick} INFO  export: {chart}.svg {kb} in {n3} ms
{tick} DEBUG ui: {noun} opened at {n3},{n3} after {n3} ms
{tick} DEBUG ui: pointer {n3},{n3} over {noun}
{tick} WARN  ui: listener of {noun} took {f2} ms
{tick} DEBUG font: subset {h8}, {n3} glyphs, {kb}
{tick} INFO  export: {chart}.png {n4}x{n4} digest {h12}
`),
      findings: findings(`
{tick} WARN  export: {chart}.png came out with {mib}, {trace}
 -> {chart}.png came out with {mib} ({trace}) -> {chart}.png 有 {mib} （{trace}）
{tick} WARN  undo: snapshot {h10} lacks the selection
 -> the snapshot {h10} lacks the selection -> 快照 {h10} 没有选区
{tick} WARN  ui: focus moved to {noun} after {n3} ms
 -> the focus moves to the {noun} after {n3} ms -> {n3} 毫秒后焦点移到了 {noun}
{tick} INFO  font: embedded {kb}, {n3} glyphs, {ver}
 -> the embedded font has {kb} -> 嵌入的字体有 {kb}
`),
    },
  ],
  json: [
    {
      about: drawing,
      commands: templateLines(`
node scripts/render.mjs fixtures/{chart}.json --dump
cat .cache/layout/{h8}.json
`),
      open: template('{\n  "chart": "{chart}",\n  "build": "{ver}",\n  "marks": ['),
      entries: templateLines(`
    {"id": {seq}, "kind": "cell", "x": {n3}, "y": {n3}, "fill": "{hue}", "value": {f2}, "key": "{h8}"}
    {"id": {seq}, "kind": "bar", "x": {n3}, "y": {n2}, "width": {n2}, "height": {n3}, "fill": "{hue}"}
    {"id": {seq}, "kind": "tick", "at": {f3}, "label": "{n3}", "anchor": "middle"}
    {"id": {seq}, "kind": "point", "x": {f3}, "y": {f3}, "radius": {n1}, "series": "{chart}", "key": "{h10}"}
`),
      close: template('  ],\n  "trace": "{trace}",\n  "surface": "{mib}"\n}'),
      findings: findings(`
    {"id": {seq}, "kind": "cell", "x": {n3}, "y": {n3}, "fill": null, "value": null, "key": "{h8}"}
 -> the cell {seq} has no colour (key {h8}) -> 格子 {seq} 没有颜色（键 {h8} ）
    {"id": {seq}, "kind": "tick", "at": {f3}, "label": "", "outside": true, "key": "{h8}"}
 -> the tick at {f3} lies outside of the plot ({h8}) -> {f3} 处的刻度在图区之外（ {h8} ）
`),
    },
    {
      about: handling,
      commands: templateLines(`
npm run -s state -- --session {h8} --json
cat fixtures/sessions/{h10}.json
`),
      open: template('{\n  "session": "{trace}",\n  "build": "{ver}",\n  "actions": ['),
      entries: templateLines(`
    {"n": {seq}, "type": "{noun}/{verb}", "patch": "{h8}", "ms": {f1}}
    {"n": {seq}, "type": "{noun}/{verb}", "before": "{h10}", "after": "{h10}", "undo": true}
    {"n": {seq}, "type": "{noun}/{verb}", "target": "{chart}", "payload": {"{member}": {n3}, "fill": "{hue}"}}
`),
      close: template('  ],\n  "heap": "{mib}"\n}'),
      findings: findings(`
    {"n": {seq}, "type": "{noun}/{verb}", "patch": null, "note": "dropped", "id": "{h8}"}
 -> action {seq} has no patch ({h8}) -> 第 {seq} 个动作没有补丁（ {h8} ）
    {"n": {seq}, "type": "{noun}/{verb}", "patch": "{h8}", "bytes": {n5}, "copied": true}
 -> action {seq} copies the whole state ({h8}) -> 第 {seq} 个动作复制了整个状态（ {h8} ）
`),
    },
  ],
  benchCommands: templateLines(`
npm run -s bench
npm run -s bench -- --browser {browser}
npx vitest bench --run
`),
  bench: [
    { about: ["src/scale"], en: "ticks, 10 years", zh: "十年的刻度", ms: 2.4, mib: 12 },
    { about: ["src/canvas"], en: "full repaint", zh: "整屏重绘", ms: 21.8, mib: 74 },
    { about: ["src/canvas"], en: "pan by a screen", zh: "平移一屏", ms: 36.5, mib: 81 },
    { about: ["src/chart"], en: "heatmap, full", zh: "完整热力图", ms: 48.2, mib: 93 },
    { about: ["src/chart"], en: "stacked bars", zh: "堆叠柱状图", ms: 17.1, mib: 58 },
    { about: ["src/state"], en: "undo, 100 steps", zh: "撤销一百步", ms: 9.7, mib: 47 },
    { about: ["src/io"], en: "export as SVG", zh: "导出 SVG", ms: 128, mib: 66 },
    { about: ["src/ui"], en: "open the panel", zh: "打开面板", ms: 13.3, mib: 31 },
  ],
  crashes: {
    "src/chart": findings(`
RangeError: Invalid array length: {n5} buckets for {n3} points ({trace})
 -> {n5} buckets for {n3} points ({trace}) -> {n3} 个点却分了 {n5} 个桶（{trace}）
`),
    "src/canvas": findings(`
InvalidStateError: canvas of {mem} was refused
 -> the browser refuses a canvas of {mem} -> 浏览器拒绝了 {mem} 的画布
`),
    "src/state": findings(`
SyntaxError: Unexpected end of JSON input at position {n4}
 -> the session file ends at position {n4} -> 会话文件在第 {n4} 个位置结束
TypeError: Cannot read properties of undefined (reading '{member}')
 -> somebody reads {member} of nothing -> 读取了不存在对象的 {member}
`),
  },
  build: {
    commands: templateLines(`
npm run -s build
npm run -s build -- --report
`),
    head: templateLines(`
vite v8.0.3 building for production...
transforming...
✓ {n3} modules transformed.
rendering chunks...
`),
    lines: templateLines(`
dist/assets/{noun}-{h8}.js      {kb} │ gzip: {f2} kB
dist/assets/{noun}-{h8}.css     {f1} kB │ gzip: {f1} kB
dist/assets/{noun}-{h8}.woff2  {f2} kB
  {path} -> chunk {h7}
`),
    findings: findings(`
✓ built in {f1} s, {kb} in {n2} chunks, manifest {ver}
 -> the bundle has {kb} in {n2} chunks -> 打包后 {kb} ，共 {n2} 个文件
(!) chunk {noun}-{h8}.js is larger than the others: {kb}
 -> one chunk stands out with {kb} -> 有一个文件特别大， {kb}
`),
  },
};
