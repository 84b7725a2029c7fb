/** What the programs of `sim-stream` print, and what happened before. */
import { findings, phrases, type Story, words } from "../story.ts";
import { template, templateLines } from "../template.ts";

type Output = "words" | "past" | "logs" | "json" | "bench" | "benchCommands" | "crashes" | "build";

const serving = ["gateway/src", "client/src"];
const keeping = ["storage/src", "broker/src", "tools/src"];

export const streamOutput: Pick<Story, Output> = {
  words: {
    node: words("node-a1 node-a2 node-b1 node-b2 node-c1"),
    topic: words("orders.v2 clicks.raw billing.events sensors.eu audit.log carts.v1"),
    tenant: words("t-halden t-morrow t-quill t-osier t-brink"),
    verdict: words("ok ok ok late moved"),
  },
  past: phrases(`
    storage: checksum the length as well
    storage: seal before rolling
    broker: one clock for leases
    broker: cache routes with their lease
    gateway: verify tokens before reading the body
    gateway: drain on SIGTERM
    client: jitter for the first poll
    client: number batches per producer
    tools: print times in UTC
    ops: alerts for full disks
    build: update tokio
    docs: how segments are named
    storage: rebuild the index on demand
  `),
  logs: [
    {
      about: keeping,
      commands: templateLines(`
cargo run -q -p tideway-broker -- --config ops/node.toml --once
kubectl -n staging logs {node} --since 10m | tail -n 500
cargo run -q -p tideway-tools -- replay --topic {topic} --from {n5}
`),
      head: templateLines(`
{tick} INFO  boot: {node} build {ver}, {n3} partitions
{tick} INFO  storage.recover: {total} segments, newest {h10}
`),
      lines: templateLines(`
{tick} DEBUG storage.append: topic={topic} seq={seq} bytes={n4} crc={h8}
{tick} DEBUG storage.append: topic={topic} seq={seq} bytes={n4} crc={h8}
{tick} INFO  storage.roll: {topic}-{n2} sealed at {mem}, footer {h10}
{tick} DEBUG storage.sync: {n2} records, {n3} us
{tick} INFO  broker.lease: {topic}-{n2} held by {node} term={n1} {verdict}
{tick} DEBUG broker.offsets: commit {topic}-{n2} at {seq} by {tenant}
{tick} DEBUG broker.replica: {node} follows {node}, {n3} records behind
{tick} WARN  broker.lease: renewal of {topic}-{n2} took {n3} ms
{tick} DEBUG storage.index: {h8} sparse entry every {n4} bytes
{tick} INFO  storage.compact: {n2} segments, {mib} freed, {n2} tombstones
{tick} DEBUG broker.route: {tenant} -> {node} {trace}
`),
      findings: findings(`
{tick} WARN  broker.lease: {topic}-{n2} granted to {node} while still held, {trace}
 -> {topic} was granted to {node} while still held ({trace}) -> {topic} 在仍被持有时又给了 {node}（{trace}）
{tick} WARN  storage.index: entry {h8} points {n2} bytes past its frame
 -> the index entry {h8} points {n2} bytes past its frame -> 索引项 {h8} 指到了帧后 {n2} 字节
{tick} INFO  storage.compact: kept {mem} because reader {h7} is slow
 -> {mem} is kept for the slow reader {h7} -> 因为读者 {h7} 太慢，保留了 {mem}
{tick} WARN  storage.sync: fsync took {n4} ms on {node}
 -> one fsync took {n4} ms on {node} -> {node} 上一次 fsync 用了 {n4} 毫秒
`),
    },
    {
      about: serving,
      commands: templateLines(`
cargo run -q -p tideway-tools -- load --rate {n4} --seconds 30
kubectl -n staging logs gateway-{h7} --since 5m
cargo run -q -p tideway-client --example tail -- {topic}
`),
      head: templateLines(`
{tick} INFO  gateway: listening, build {ver}, {n2} workers
{tick} INFO  gateway: routes for {n3} partitions
`),
      lines: templateLines(`
{tick} INFO  http: POST /v1/{topic} 202 {n4} bytes {f1} ms {trace}
{tick} INFO  http: POST /v1/{topic} 202 {n4} bytes {f1} ms {trace}
{tick} DEBUG batch: {h10} closed with {n3} records, {kb}
{tick} WARN  http: POST /v1/{topic} 429 {tenant} bucket {n1}/{n3}
{tick} DEBUG auth: token {h8} of {tenant}, {n4} s left
{tick} DEBUG client.producer: batch {seq} acked by {node} in {n2} ms
{tick} DEBUG client.consumer: cursor {topic} at {seq}, generation {n1}
{tick} WARN  client.retry: batch {seq} again after {n3} ms
{tick} INFO  drain: {n2} connections left
{tick} DEBUG codec: frame {h8} {n4} -> {n3} bytes
`),
      findings: findings(`
{tick} WARN  http: body of {tenant} stopped at {mib}, {trace}
 -> a body of {tenant} stopped at {mib} ({trace}) -> {tenant} 的请求体在 {mib} 处中断（{trace}）
{tick} WARN  client.consumer: {n2} records twice after generation {n1}, batch {h10}
 -> {n2} records came twice, all from batch {h10} -> 有 {n2} 条记录重复，都来自批次 {h10}
{tick} WARN  http: 429 for {tenant} although the bucket holds {n3}
 -> {tenant} gets a 429 although the bucket holds {n3} -> 桶里还有 {n3} 个令牌，{tenant} 却收到 429
{tick} INFO  batch: largest {kb}, closed by time, {ack}
 -> the largest batch had {kb} and was closed by time ({ack}) -> 最大的批次 {kb} ，因超时关闭（ {ack} ）
`),
    },
  ],
  json: [
    {
      about: keeping,
      commands: templateLines(`
curl -s http://{node}:9644/v1/partitions
cargo run -q -p tideway-tools -- inspect --topic {topic} --json
`),
      open: template('{\n  "node": "{node}",\n  "build": "{ver}",\n  "partitions": ['),
      entries: templateLines(`
    {"topic": "{topic}", "id": {seq}, "leader": "{node}", "term": {n1}, "end": {n5}, "segment": "{h10}"}
    {"topic": "{topic}", "id": {seq}, "leader": "{node}", "behind": {n2}, "size": "{mem}", "crc": "{h8}"}
    {"topic": "{topic}", "id": {seq}, "tenant": "{tenant}", "per_minute": {n4}, "lease": "{h12}"}
`),
      close: template('  ],\n  "trace": "{trace}",\n  "disk": "{mem}"\n}'),
      findings: findings(`
    {"topic": "{topic}", "id": {seq}, "leader": null, "term": {n1}, "lease": "{h12}"}
 -> partition {seq} of {topic} has no leader (lease {h12}) -> {topic} 的分区 {seq} 没有 leader（租约 {h12} ）
    {"topic": "{topic}", "id": {seq}, "leader": "{node}", "behind": {n4}, "segment": "{h10}"}
 -> the replica of {topic} on {node} is {n4} records behind -> {node} 上 {topic} 的副本落后 {n4} 条
`),
    },
    {
      about: serving,
      commands: templateLines(`
curl -s http://gateway:9650/v1/clients
cargo run -q -p tideway-tools -- load --report json
`),
      open: template('{\n  "build": "{ver}",\n  "since": "{day}",\n  "clients": ['),
      entries: templateLines(`
    {"id": {seq}, "tenant": "{tenant}", "topic": "{topic}", "p50": {f1}, "p99": {f2}, "key": "{h8}"}
    {"id": {seq}, "tenant": "{tenant}", "sent": {n5}, "refused": {n2}, "bytes": "{mib}", "last": "{trace}"}
    {"id": {seq}, "tenant": "{tenant}", "generation": {n1}, "cursor": {n5}, "member": "{h10}"}
`),
      close: template('  ],\n  "largest": "{kb}"\n}'),
      findings: findings(`
    {"id": {seq}, "tenant": "{tenant}", "sent": {n5}, "refused": {n4}, "key": "{h8}"}
 -> {n4} requests of {tenant} were refused (key {h8}) -> {tenant} 有 {n4} 次请求被拒（key {h8} ）
    {"id": {seq}, "tenant": "{tenant}", "generation": {n1}, "cursor": null, "member": "{h10}"}
 -> the member {h10} of {tenant} has no cursor -> {tenant} 的成员 {h10} 没有游标
`),
    },
  ],
  benchCommands: templateLines(`
cargo bench -q --workspace
cargo run --release -q -p tideway-tools -- load --bench
cargo run --release -q -p tideway-tools -- load --bench --seed {n3}
`),
  bench: [
    { about: ["storage/src"], en: "append, 1 KB records", zh: "追加一千字节的记录", ms: 3.1, mib: 48 },
    { about: ["storage/src"], en: "recover, 40 segments", zh: "恢复四十个分段", ms: 1830, mib: 212 },
    { about: ["storage/src"], en: "scan a sealed segment", zh: "扫描封存的分段", ms: 88, mib: 61 },
    { about: ["broker/src"], en: "failover, all partitions", zh: "全部分区故障切换", ms: 2460, mib: 133 },
    { about: ["broker/src"], en: "route lookup, 10,000", zh: "一万次路由查询", ms: 12.6, mib: 22 },
    { about: ["gateway/src"], en: "post, 64 clients", zh: "六十四个客户端写入", ms: 41.9, mib: 174 },
    { about: ["client/src"], en: "produce and consume", zh: "生产并消费", ms: 66.3, mib: 57 },
    { about: ["tools/src"], en: "inspect, 1,000,000 rows", zh: "查看一百万行", ms: 745, mib: 39 },
  ],
  crashes: {
    "storage/src": findings(`
thread 'storage-{n2}' panicked: frame of {n5} bytes in a segment of {mib} ({trace})
 -> a frame of {n5} bytes in a segment of {mib} ({trace}) -> {mib} 的分段里出现 {n5} 字节的帧（{trace}）
thread 'compact-{n2}' panicked: no space left on device, {mib} free, {mem} needed
 -> compaction needs {mem} and finds {mib} -> 压缩需要 {mem} ，只剩 {mib}
`),
    "broker/src": findings(`
thread 'lease-{n2}' panicked: term went from {n2} back to {n1}
 -> the term went from {n2} back to {n1} -> 任期从 {n2} 退回到 {n1}
thread 'replica-{n2}' panicked: offset {n4} is behind the committed {n5} ({trace})
 -> an offset behind the committed one ({trace}) -> 偏移落在已提交位置之后（{trace}）
`),
    "gateway/src": findings(`
thread 'http-{n2}' panicked: slice index starts at {n4} but ends at {n3}
 -> the body was cut at {n3}, before its header ended -> 请求体在 {n3} 处被截断
`),
    "client/src": findings(`
thread 'consumer-{n2}' panicked: generation {n1} is over, batch {h10}
 -> the batch {h10} of an old generation -> 批次 {h10} 属于旧的一代
`),
  },
  build: {
    commands: templateLines(`
cargo build --release --workspace
docker build -t tideway:{h7} . && docker image ls tideway
`),
    head: templateLines(`
    Updating crates.io index
  Downloaded {n3} crates ({mib}) in {f1}s
`),
    lines: templateLines(`
   Compiling tideway-{noun} v0.{n2}.{n1} (/srv/tideway/{noun})
   Compiling {noun}-core v{n1}.{n2}.{n1}
warning: unused import: {fn} in {path}
#{n2} sha256:{h40} {mib} / {mib} {f1}s done
#{n2} CACHED [stage {n1}/8] COPY {path} .
layer {h12} {kb}
`),
    findings: findings(`
exporting image {h12}: {mib}, manifest {ver}
 -> the image {h12} weighs {mib} -> 镜像 {h12} 大小 {mib}
    Finished release profile [optimized] in {n2}m {n2}s, tideway {mib}, build id {h8}
 -> the release binary has {mib} -> 发布版二进制 {mib}
`),
  },
};
