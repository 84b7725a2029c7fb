/** What the user of `sim-stream` asks for. */
import type { Phase, Story, Turn } from "../story.ts";

export const streamChoices: Story["choices"] = {
  segment1: ["96 MiB", "128 MiB", "160 MiB"],
  segment2: ["320 MiB", "384 MiB", "448 MiB"],
  sync: ["120", "150", "180"],
  runs: ["140", "260", "310"],
  lease1: ["2500", "2800", "3200"],
  lease2: ["5500", "6200", "7400"],
  parts: ["144", "192", "240"],
  body1: ["2.5 MiB", "3.5 MiB", "4.5 MiB"],
  body2: ["6.5 MiB", "7.5 MiB", "9.5 MiB"],
  rate1: ["450", "550", "650"],
  rate2: ["1200", "1400", "1700"],
  failover: ["1900", "2100", "2300"],
  batch1: ["180 KB", "220 KB", "260 KB"],
  batch2: ["510 KB", "640 KB", "760 KB"],
  linger: ["125", "175", "225"],
  keep1: ["168", "240", "336"],
  keep2: ["504", "720", "840"],
  rewrite: ["1.5 GiB", "2.5 GiB", "3.5 GiB"],
  p99: ["185", "215", "245"],
  disk: ["12 GiB", "18 GiB", "25 GiB"],
  rows: ["250", "350", "450"],
  quota: ["3300", "4400", "6600"],
  recovery: ["115", "135", "155"],
  image: ["38 MiB", "44 MiB", "52 MiB"],
};

type Says = readonly [en: string, zh: string];
type Ruled = readonly [key: string, en: string, zh: string];

/** One request of the session; the areas are crates. */
const turn = (phase: Phase, crate: string, subject: string, goal: Says, user: Says, rule?: Ruled): Turn => ({
  phase,
  area: `${crate}/src`,
  subject,
  goal: { en: goal[0], zh: goal[1] },
  user: { en: user[0], zh: user[1] },
  ...(rule === undefined ? {} : { rule: { key: rule[0], en: rule[1], zh: rule[2] } }),
});

export const streamTurns: readonly Turn[] = [
  turn(
    "build",
    "storage",
    "a log of sealed segments",
    ["the segmented log", "分段日志"],
    [
      "An event log: segments of {segment1}, fsync every {sync} ms. Start in storage/src/segment.rs.",
      "做一个事件日志：分段 {segment1} ，每 {sync} 毫秒 fsync，从 storage/src/segment.rs 开始。",
    ],
    ["segment", "a segment has {segment1}", "每个分段 {segment1}"],
  ),
  turn(
    "bug",
    "storage",
    "read across the segment border",
    ["the gap at the segment border", "分段边界的缺口"],
    [
      "Once in {runs} runs a reader skips a record, see docs/segments.md.",
      "每 {runs} 次有一次漏读，见 docs/segments.md 。",
    ],
  ),
  turn(
    "build",
    "broker",
    "leases for partitions",
    ["the leases", "租约"],
    [
      "Now leases of {lease1} ms for {parts} partitions, one writer each. docs/leases.md",
      "现在做租约：{lease1} 毫秒，{parts} 个分区，各一个写者，见 docs/leases.md 。",
    ],
    ["lease", "a lease lasts {lease1} ms", "租约 {lease1} 毫秒"],
  ),
  turn(
    "change",
    "storage",
    "raise the size of segments",
    ["the larger segments", "更大的分段"],
    ["Make segments {segment2}; the old ones must stay readable.", "分段改成 {segment2} ，旧的仍要可读。"],
    ["segment", "a segment has {segment2}", "每个分段 {segment2}"],
  ),
  turn(
    "build",
    "gateway",
    "an HTTP front with limits",
    ["the HTTP front", "HTTP 入口"],
    [
      "HTTP in front: bodies up to {body1}, {rate1} requests a second for each key.",
      "前面加 HTTP：请求体最大 {body1} ，每个 key 每秒 {rate1} 次。",
    ],
    ["body", "a body has at most {body1}", "请求体最大 {body1}"],
  ),
  turn(
    "bug",
    "broker",
    "fence a writer that was paused",
    ["the two writers of one partition", "一个分区出现两个写者的问题"],
    [
      "Two brokers wrote to one partition after a long pause. Why? 🤔",
      "长暂停之后两个 broker 写了同一个分区，为什么？",
    ],
  ),
  turn(
    "measure",
    "broker",
    "shorten the failover",
    ["the length of a failover", "故障切换的时长"],
    ["How long does a failover take? It has to be below {failover} ms.", "故障切换要多久？必须低于 {failover} 毫秒。"],
    ["failover", "a failover takes less than {failover} ms", "故障切换低于 {failover} 毫秒"],
  ),
  turn(
    "review",
    "gateway",
    "answer the review of the gateway",
    ["the review of the gateway", "gateway 的评审意见"],
    ["Jonas reviewed the gateway. Answer him and mend what he found.", "Jonas 评审了 gateway，请回复并修改。"],
  ),
  turn(
    "build",
    "client",
    "a producer with batches",
    ["the producer", "生产者"],
    [
      "A producer next: batches of {batch1} or {linger} ms, whichever is first.",
      "接着做生产者：每批 {batch1} 或 {linger} 毫秒。",
    ],
    ["batch", "a batch is sent at {batch1} or after {linger} ms", "批次到 {batch1} 或 {linger} 毫秒就发送"],
  ),
  turn(
    "change",
    "broker",
    "longer leases",
    ["the longer leases", "更长的租约"],
    [
      "Leases flap in staging: make them {lease2} ms, in ops/staging.yaml too.",
      "预发环境租约抖动：改成 {lease2} 毫秒，也改 ops/staging.yaml 。",
    ],
    ["lease", "a lease lasts {lease2} ms", "租约 {lease2} 毫秒"],
  ),
  turn(
    "bug",
    "client",
    "do not deliver twice after a rebalance",
    ["the double delivery", "重复投递"],
    [
      "After a rebalance consumers see events twice, not often, but they do.",
      "重新均衡之后消费者会收到重复事件，不多，但确实有。",
    ],
  ),
  turn(
    "build",
    "storage",
    "compaction of old segments",
    ["the compaction", "压缩旧分段"],
    [
      "Compaction: keep {keep1} hours, rewrite at most {rewrite} in one go.",
      "压缩：保留 {keep1} 小时，一次最多重写 {rewrite} 。",
    ],
    ["keep", "events are kept for {keep1} hours", "事件保留 {keep1} 小时"],
  ),
  turn(
    "measure",
    "gateway",
    "spend less on each request",
    ["the slow requests", "慢请求"],
    [
      "p99 is {p99} ms under load, where does it go? Numbers in docs/limits.md.",
      "压测下 p99 有 {p99} 毫秒，花在哪里？结果写进 docs/limits.md 。",
    ],
  ),
  turn(
    "change",
    "gateway",
    "larger bodies",
    ["the larger bodies", "更大的请求体"],
    ["Customers send more than we thought: allow {body2} for a body.", "客户发的比预想的大：请求体放宽到 {body2} 。"],
    ["body", "a body has at most {body2}", "请求体最大 {body2}"],
  ),
  turn(
    "bug",
    "storage",
    "delete snapshots that nobody needs",
    ["the snapshots that pile up", "堆积的快照"],
    [
      "A node has {disk} of old snapshots and no room left. Stop that, please.",
      "一个节点堆了 {disk} 旧快照，磁盘满了，请处理。",
    ],
  ),
  turn(
    "build",
    "tools",
    "a command that looks into segments",
    ["the inspect command", "inspect 命令"],
    [
      "I need to look into segments: tools/src/inspect.rs, {rows} rows at most.",
      "需要能看分段内容的命令：tools/src/inspect.rs ，最多 {rows} 行。",
    ],
    ["rows", "inspect prints at most {rows} rows", "inspect 最多输出 {rows} 行"],
  ),
  turn(
    "review",
    "client",
    "answer the review of the client",
    ["the review of the client", "client 的评审意见"],
    ["Priya has left comments on the client, please go through them.", "Priya 在 client 上留了意见，请逐条处理。"],
  ),
  turn(
    "change",
    "client",
    "larger batches",
    ["the larger batches", "更大的批次"],
    ["Batches of {batch2} are fine now, the linger stays as it is.", "批次放到 {batch2} ，等待时间不变。"],
    ["batch", "a batch is sent at {batch2} or after {linger} ms", "批次到 {batch2} 或 {linger} 毫秒就发送"],
  ),
  turn(
    "bug",
    "gateway",
    "fill the bucket at start",
    ["the 429 after a deploy", "发布之后的 429"],
    [
      "Everybody gets 429 after a deploy. The limit is {rate2} for a key now.",
      "发布后大家都收到 429。每个 key 的限额现在是 {rate2} 次。",
    ],
    ["rate", "a key may send {rate2} requests a second", "每个 key 每秒 {rate2} 次"],
  ),
  turn(
    "measure",
    "storage",
    "recover from the newest snapshot",
    ["the recovery after a crash", "崩溃后的恢复"],
    ["Recovery takes {recovery} s after a crash. Half of that would do.", "崩溃后恢复要 {recovery} 秒，减半就行。"],
  ),
  turn(
    "build",
    "broker",
    "quotas for tenants",
    ["the quotas of tenants", "租户配额"],
    [
      "Quotas: {quota} events a minute for a tenant, see ops/tenants.yaml.",
      "配额：每个租户每分钟 {quota} 个事件，见 ops/tenants.yaml 。",
    ],
    ["quota", "a tenant may send {quota} events a minute", "每个租户每分钟 {quota} 个事件"],
  ),
  turn(
    "change",
    "storage",
    "keep events longer",
    ["the longer retention", "更长的保留时间"],
    [
      "Legal wants {keep2} hours of retention instead of {keep1} 🙄",
      "法务要求保留 {keep2} 小时，而不是 {keep1} 小时。",
    ],
    ["keep", "events are kept for {keep2} hours", "事件保留 {keep2} 小时"],
  ),
  turn(
    "bug",
    "client",
    "add jitter to the backoff",
    ["the clients that return all at once", "客户端同时重连的问题"],
    ["After a failover all clients come back in the same second.", "故障切换之后所有客户端在同一秒回来。"],
  ),
  turn(
    "release",
    "tools",
    "release",
    ["the release candidate", "候选版本"],
    [
      "Cut a release candidate: image under {image}, notes in docs/changes.md.",
      "出候选版本：镜像小于 {image} ，说明写在 docs/changes.md 。",
    ],
    ["image", "the image stays under {image}", "镜像小于 {image}"],
  ),
];
