/** `sim-infra`: a tool that rolls releases out over several regions and watches them. In no exam: it only fills a window. */
import { causes, findings, phrases, type Story, words } from "../story.ts";
import { template, templateLines } from "../template.ts";
import { infraTurns } from "./infra-turns.ts";

export const infra: Story = {
  project: "harborline",
  language: "python",
  start: "2026-04-21T06:12:09Z",
  version: [3, 2, 0],
  firstPr: 1502,
  tests: 60,
  people: ["Solveig Aas", "Marek Dvorak", "Thandi Mokoena"],
  tree: {
    ".": ["pyproject.toml", "README.md"],
    "harborline/plan": words("graph.py diff.py order.py drift.py waves.py"),
    "harborline/apply": words("runner.py lease.py rollback.py retry.py gates.py"),
    "harborline/watch": words("probe.py budget.py series.py alert.py window.py"),
    "harborline/state": words("store.py lock.py journal.py digest.py"),
    tests: words(
      "conftest.py test_graph.py test_diff.py test_drift.py test_lease.py test_rollback.py test_gates.py " +
        "test_probe.py test_budget.py test_alert.py test_lock.py test_journal.py",
    ),
    config: words("regions.yaml waves.yaml budgets.toml"),
    docs: words("rollout.md recovery.md changelog.md"),
  },
  claims: {
    what: words("orders holds resumes rejects merges counts releases retries restores expires"),
    when: [
      "when a region is down",
      "at the last wave",
      "after a rollback",
      "with a stale lease",
      "across a restart",
      "without a probe",
      "with two runners",
      "in one pass",
    ],
  },
  choices: {
    wave: ["12", "15", "18"],
    lease1: ["450", "600", "900"],
    lease2: ["1200", "1500"],
    budget: ["240", "300", "360"],
    image: ["186 MB", "204 MB", "232 MB"],
    memory: ["310 MiB", "360 MiB", "420 MiB"],
    window: ["900", "1200"],
  },
  areas: {
    "harborline/plan": {
      verbs: words("order diff group resolve expand compare split plan merge skip"),
      nouns: words("wave edge node region change drift batch label target graph"),
      subjects: phrases(`
        a cycle in the graph
        an empty wave
        two changes of one node
        a region without targets
        the order of waves
      `),
      remarks: phrases(`
        a wave never starts before the wave before it is healthy
        drift is reported and never repaired in silence
        two changes of one node become one
        the order of regions is part of the plan
        an empty wave is skipped and still written down
      `),
      causes: causes(`
        {n2} | {off} | the last edge is left out of the order | 最后一条边没有排进顺序
        ['b', 'a'] | ['a', 'b'] | waves are sorted by name | 批次按名字排序了
        {n3} | {off} | drift of a removed node is counted | 已删除节点的漂移也被计入
      `),
    },
    "harborline/apply": {
      verbs: words("apply lease renew release gate pause resume revert retry drain"),
      nouns: words("runner lease gate step token attempt host slot revision queue"),
      subjects: phrases(`
        the renewed lease
        a paused runner
        the first gate
        a reverted step
        the drained host
      `),
      remarks: phrases(`
        a lease is renewed at half its time
        a rollback takes the waves in reverse
        a gate that does not answer counts as closed
        the runner that loses its lease stops at once
        a drained host takes no new work
      `),
      causes: causes(`
        True | False | the gate opens before its probe has run | 探针还没跑门就开了
        {n4} | {off} | the lease is counted from its renewal | 租约从续期时开始计算
        'drained' | 'draining' | the host is asked one step too early | 过早询问主机状态
      `),
    },
    "harborline/watch": {
      verbs: words("probe sample burn alert smooth fold compare mute window rank"),
      nouns: words("budget series sample probe alert window rate threshold point burst"),
      subjects: phrases(`
        a missing sample
        the burnt budget
        a muted alert
        the first window
        two bursts
      `),
      remarks: phrases(`
        a missing sample is not a zero
        the budget burns over the longest window
        an alert is muted per region and not per service
        probes run from outside the region
        the newest sample may still change
      `),
      causes: causes(`
        {f2} | {f2} | missing samples are counted as zero | 缺失的采样被当成零
        {n2} | {off} | the window is open at both ends | 窗口两端都没有闭合
      `),
    },
    "harborline/state": {
      verbs: words("lock store replay append digest compact verify load seal scan"),
      nouns: words("journal entry lock owner digest snapshot revision cursor record head"),
      subjects: phrases(`
        a torn entry
        the stale lock
        the sealed journal
        an unknown revision
        two owners
      `),
      remarks: phrases(`
        the journal is written before the change is made
        a torn entry ends the replay
        a lock without an owner is taken over
        the digest covers the order, too
        a snapshot never replaces the journal it was made of
      `),
      causes: causes(`
        {n3} | {off} | the torn entry is counted as whole | 残缺的条目被当成完整的
        '{h8}' | '{h8}' | the digest leaves the order out | 摘要没有包含顺序
      `),
    },
  },
  words: {
    region: words("eu-north-2 eu-west-4 us-east-9 ap-south-3 sa-east-1"),
    service: words("ledger gateway mailer search billing auth media"),
    level: words("INFO DEBUG DEBUG INFO DEBUG"),
  },
  past: phrases(`
    plan: refuse graphs with cycles
    apply: stop when the lease is lost
    watch: probes from outside the region
    state: seal the journal after a rollout
    docs: how to recover by hand
    tests: a fake region that answers late
    apply: drain before the first step
    plan: name waves by their place
    state: take over locks without an owner
    watch: mute alerts per region
  `),
  logs: [
    {
      commands: templateLines(`
python -m harborline apply --region {region} --verbose
python -m harborline watch {service} --since {n4}s --raw
python -m harborline journal tail --service {service} -n {n4}
`),
      head: templateLines(`
{tick} INFO  plan.waves: {total} targets in {n1} waves, revision {h10}
{tick} INFO  apply.lease: {region} leased for {n3} s by {h7}
`),
      lines: templateLines(`
{tick} DEBUG apply.runner: {service} on {region} step {seq} of {total} in {n4} ms
{tick} DEBUG apply.runner: {service} host {h8} {noun} ready after {n4} ms
{tick} DEBUG watch.probe: {region} {service} 200 in {n3} ms, {n2} in flight
{tick} DEBUG watch.series: {service} p99 {f2} ms, errors {p2}, burst {n2}
{tick} INFO  apply.gates: wave {n1} of {region} open after {n3} s
{tick} DEBUG state.journal: append {h12} at {n5}, {kb}
{tick} DEBUG state.lock: owner {h8} renewed, {n3} s left
{tick} WARN  watch.alert: {service} burns {f1} times its budget in {region}
{tick} DEBUG plan.diff: {service} {h7} -> {h7}, {n2} fields
{tick} DEBUG apply.retry: {trace} attempt {n1} after {n4} ms
`),
      findings: findings(`
{tick} WARN  apply.lease: {region} lost its lease after {n4} ms, {trace}
 -> {region} lost its lease after {n4} ms ({trace}) -> {region} 在 {n4} 毫秒后丢了租约（{trace}）
{tick} WARN  watch.budget: {service} has {n2} s of its budget left
 -> {service} has only {n2} s of its budget left -> {service} 的预算只剩 {n2} 秒
{tick} WARN  state.journal: torn entry {h12} at {n5}
 -> the journal is torn at entry {h12} -> 日志在条目 {h12} 处残缺
{tick} INFO  apply.rollback: {service} back at {ver} after {mib} of logs
 -> {service} is back at {ver} -> {service} 已回到 {ver}
`),
    },
  ],
  json: [
    {
      commands: templateLines(`
python -m harborline plan --region {region} --json
cat .harborline/{h10}/state.json
`),
      open: template('{\n  "revision": "{h12}",\n  "region": "{region}",\n  "targets": ['),
      entries: templateLines(`
    {"id": {seq}, "service": "{service}", "from": "{h7}", "to": "{h7}", "wave": {n1}, "weight": {n3}}
    {"id": {seq}, "host": "{h8}", "zone": {n1}, "ready": true, "probe_ms": {n3}, "digest": "{h10}"}
    {"id": {seq}, "service": "{service}", "memory": "{mem}", "image": "{mib}", "lease": {n4}}
`),
      close: template('  ],\n  "build": "{ver}",\n  "trace": "{trace}"\n}'),
      findings: findings(`
    {"id": {seq}, "service": "{service}", "drift": true, "digest": "{h10}", "fields": {n2}}
 -> {service} has drifted in {n2} fields ({h10}) -> {service} 有 {n2} 个字段漂移（{h10}）
    {"id": {seq}, "host": "{h8}", "ready": false, "image": "{mib}", "since": {n4}}
 -> host {h8} has not been ready for {n4} s -> 主机 {h8} 已经 {n4} 秒没有就绪
`),
    },
  ],
  benchCommands: templateLines(`
python -m harborline.bench all
python scripts/bench.py --regions {n1}
`),
  bench: [
    { en: "plan, 4,000 targets", zh: "四千个目标的规划", ms: 412, mib: 118 },
    { en: "diff, two revisions", zh: "两个版本的比较", ms: 96, mib: 61 },
    { en: "journal, 10,000 entries", zh: "一万条日志", ms: 233, mib: 84 },
    { en: "budget over 30 days", zh: "三十天的预算", ms: 541, mib: 140 },
    { en: "lease round trip", zh: "一次租约往返", ms: 38, mib: 22 },
    { en: "rollback, 12 waves", zh: "十二批回滚", ms: 702, mib: 96 },
  ],
  crashes: {
    "harborline/apply": findings(`
harborline.errors.LeaseLost: {region} was taken by {h8} ({trace})
 -> {region} was taken by another runner ({trace}) -> {region} 被另一个执行器接管（{trace}）
harborline.errors.GateClosed: wave {n1} waited {n4} s
 -> the gate stayed closed for {n4} s -> 门关了 {n4} 秒
`),
    "harborline/state": findings(`
harborline.errors.TornEntry: {h12} ends after {n3} bytes
 -> an entry that ends after {n3} bytes -> 条目在 {n3} 字节后断掉
KeyError: '{h10}'
 -> a revision that the journal does not know, {h10} -> 日志里没有版本 {h10}
`),
  },
  build: {
    commands: templateLines(`
docker build -t harborline:{h7} . && docker image inspect harborline:{h7}
python -m build --wheel && ls -l dist
`),
    head: templateLines(`
#{n2} [internal] load build definition from Dockerfile
#{n2} transferring context: {kb}
`),
    lines: templateLines(`
#{n2} [stage {n1}/7] COPY {path} .
#{n2} sha256:{h40} {mib} / {mib} {f1}s done
#{n2} DONE {f1}s
layer {h12} {kb}
`),
    findings: findings(`
exporting image {h12}: {mem}, manifest {ver}
 -> the image {h12} weighs {mem} -> 镜像 {h12} 大小 {mem}
Successfully built harborline-{h7}.whl ({kb}, {n3} files)
 -> the wheel has {kb} in {n3} files -> wheel 大小 {kb} ，共 {n3} 个文件
`),
  },
  turns: infraTurns,
};
