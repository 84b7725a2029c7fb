/** What the programs of `sim-yt` print, and what happened before. */
import { findings, phrases, type Story, words } from "../story.ts";
import { template, templateLines } from "../template.ts";

type Output = "words" | "past" | "logs" | "json" | "bench" | "benchCommands" | "crashes" | "build";

const fetching = ["reelnote/fetch", "reelnote/store", "reelnote/cli", "reelnote/media"];
const speaking = ["reelnote/speech", "reelnote/text"];

export const ytOutput: Pick<Story, Output> = {
  words: {
    host: words("cdn-a.example.net cdn-b.example.net media.example.org vod3.example.com edge-fra.example.net"),
    codec: words("avc1.64001f hev1.1.6.L93 vp09.00.31 av01.0.05M mp4a.40.2 opus"),
    res: ['640, "height": 360', '854, "height": 480', '1280, "height": 720', '1920, "height": 1080'],
    lang: words("en de fi ja ko pt es zh"),
    said: phrases(`
      and that is the part nobody measures
      so we looked at the second half again
      which brings me back to the first slide
      the short answer is no
      let me show you what happened next
      people ask this every year
      you can see it in the left column
      and then the lights went out
      thank you for the question
      it took us about two weeks to find out
      nobody had written that down
      I will come to the numbers in a minute
      this is the same room, two years later
      we tried the obvious thing first
    `),
  },
  past: phrases(`
    fetch: retry on 503 and 429 only
    fetch: keep the part file until the digest matches
    fetch: read cookies lazily
    build: drop python 3.10
    media: stop guessing the container from the suffix
    text: write cues with a comma for srt
    fetch: close the session on cancel
    store: count reserved bytes against the quota
    cli: make progress lines quieter
    speech: bump the speech model
    speech: pad the last window with silence
    media: sort chapters by start
    docs: explain the limits
    tests: a fake host that drops connections
  `),
  logs: [
    {
      about: fetching,
      commands: templateLines(`
python -m reelnote fetch https://{host}/watch/{h10} --verbose
python -m reelnote fetch https://{host}/talks/{h8} --resume --verbose
python -m reelnote queue run --once --verbose 2>&1 | tail -n 400
`),
      head: templateLines(`
{tick} INFO  fetch.session: {host} negotiated h2, {n2} streams
{tick} INFO  fetch.manifest: {total} segments in {n1} variants, {codec} and mp4a.40.2
{tick} INFO  store.quota: reserved {mem} for {h10}
`),
      lines: templateLines(`
{tick} DEBUG fetch.segments: seg={seq} bytes={n5} in {n3} ms from {host}
{tick} DEBUG fetch.segments: seg={seq} bytes={n5} in {n3} ms from {host}
{tick} DEBUG fetch.range: GET seg={seq} status=206 etag="{h12}"
{tick} INFO  fetch.segments: {seq} of {total} done, {f1} MB/s, eta {n2} s
{tick} DEBUG store.cache: put {h10} {kb} digest ok
{tick} DEBUG fetch.throttle: bucket {n2}/120, sleeping {n3} ms
{tick} WARN  fetch.retry: attempt {n1} for seg={seq} after {n4} ms: ReadTimeout
{tick} DEBUG media.probe: stream #{n1} {codec} {n4} kb/s, start {f2}
{tick} INFO  store.jobs: {trace} state=running done={seq}
{tick} DEBUG fetch.cookies: {n2} cookies for {host}, oldest expires in {n4} s
{tick} DEBUG media.audio: resampled {n5} frames, peak -{f1} dB
`),
      findings: findings(`
{tick} WARN  fetch.range: {host} closed the stream after {mib}, {trace}
 -> {host} closed the stream after {mib} ({trace}) -> {host} 在传了 {mib} 之后断开（{trace}）
{tick} WARN  fetch.segments: seg={n3} came twice, kept etag {h12}
 -> segment {n3} came twice and the copy with etag {h12} was kept -> 第 {n3} 段收到两次，保留了 etag 为 {h12} 的那份
{tick} INFO  store.quota: released {mib} of {mem} reserved
 -> only {mib} of the reserved {mem} was given back -> 预留的 {mem} 只释放了 {mib}
{tick} WARN  fetch.retry: gave up on {host} after {n4} ms
 -> the downloader gave up on {host} after {n4} ms -> 等了 {n4} 毫秒后放弃了 {host}
{tick} WARN  fetch.cookies: cookie of {host} expired {n2} s ago, {trace}
 -> the cookie of {host} had expired {n2} s before ({trace}) -> {host} 的 cookie 已过期 {n2} 秒（{trace}）
`),
    },
    {
      about: speaking,
      commands: templateLines(`
python -m reelnote transcribe samples/keynote.json --model small --log-level debug
python -m reelnote transcribe .cache/{h10}.wav --lang {lang} --log-level debug
`),
      head: templateLines(`
{tick} INFO  speech.models: loaded small ({mem}) build {ver} in {n4} ms
{tick} INFO  speech.windows: {total} windows of 30.0 s, overlap {f1} s
`),
      lines: templateLines(`
{tick} DEBUG speech.decode: window {seq} -> {n2} tokens, logprob -{p2}, {n3} ms
{tick} DEBUG speech.align: [{from} -> {to}] "{said}"
{tick} DEBUG speech.align: [{from} -> {to}] "{said}"
{tick} DEBUG speech.align: token {n4} moved by {n2} ms
{tick} INFO  speech.batch: {seq} of {total} windows, rss {mem}
{tick} DEBUG text.cues: cue {seq} lasts {n4} ms, {n2} characters
{tick} DEBUG text.punctuate: "{said}." {lang} score {p2}
{tick} DEBUG speech.windows: silence at {from} s for {n3} ms
{tick} WARN  speech.decode: window {seq} repeated "{said}", temperature {p2}
{tick} DEBUG store.cache: hit {h10}
{tick} DEBUG speech.vocab: {n2} words outside the vocabulary in {h7}
`),
      findings: findings(`
{tick} WARN  speech.align: window {n3} starts {n2} ms late, {trace}
 -> window {n3} starts {n2} ms late ({trace}) -> 第 {n3} 个窗口晚了 {n2} 毫秒（{trace}）
{tick} INFO  speech.batch: peak {mem} at window {n3}
 -> memory peaks at {mem} in window {n3} -> 内存在第 {n3} 个窗口达到峰值 {mem}
{tick} WARN  text.cues: {n2} cues over the limit, longest {n4} ms
 -> {n2} cues are over the limit, the longest with {n4} ms -> 有 {n2} 条字幕超限，最长 {n4} 毫秒
{tick} WARN  speech.models: {ver} is older than the vocabulary {h8}
 -> the model {ver} is older than the vocabulary -> 模型 {ver} 比词表旧
`),
    },
  ],
  json: [
    {
      about: fetching,
      commands: templateLines(`
python -m reelnote probe https://{host}/watch/{h10} --json
curl -s https://{host}/api/v1/videos/{h10}/formats
`),
      open: template('{\n  "id": "{h10}",\n  "host": "{host}",\n  "duration": {f3},\n  "formats": ['),
      entries: templateLines(`
    {"id": {seq}, "codec": "{codec}", "width": {res}, "kbytes": {n5}, "etag": "{h12}", "url": "https://{host}/seg/{h16}"}
    {"id": {seq}, "codec": "{codec}", "kbps": {n3}, "rate": 48000, "lang": "{lang}", "digest": "{h10}"}
    {"id": {seq}, "codec": "{codec}", "fps": {f2}, "size": "{mib}", "manifest": "{ver}", "expires": {n5}}
`),
      close: template('  ],\n  "build": "{ver}",\n  "request": "{trace}"\n}'),
      findings: findings(`
    {"id": {seq}, "codec": "opus", "size": "{mib}", "note": "no length header", "digest": "{h10}"}
 -> format {seq} ({mib}) comes without a length header -> 格式 {seq}（ {mib} ）没有长度头
    {"id": {seq}, "codec": "{codec}", "size": "{mib}", "drm": true, "digest": "{h10}"}
 -> format {seq} is protected and has to be skipped, digest {h10} -> 格式 {seq} 受保护，需要跳过，摘要 {h10}
`),
    },
    {
      about: speaking,
      commands: templateLines(`
python -m reelnote transcribe samples/short.json --format json
cat .cache/{h10}/transcript.json
`),
      open: template('{\n  "language": "{lang}",\n  "model": "small-{ver}",\n  "cues": ['),
      entries: templateLines(`
    {"start": {from}, "end": {to}, "speaker": "S{n1}", "text": "{said}"}
    {"start": {from}, "end": {to}, "speaker": "S{n1}", "text": "{said}", "score": {p2}}
    {"start": {from}, "end": {to}, "speaker": "S{n1}", "text": "{said}, {said}", "hash": "{h8}"}
`),
      close: template('  ],\n  "trace": "{trace}",\n  "peak": "{mem}"\n}'),
      findings: findings(`
    {"start": {from}, "end": {to}, "speaker": "S{n1}", "text": "{said}", "hash": "{h8}", "late_ms": {n3}}
 -> the cue at {from} s is {n3} ms late ({h8}) -> {from} 秒处的字幕 {h8} 晚了 {n3} 毫秒
    {"start": {from}, "end": {to}, "speaker": null, "text": "{said}", "hash": "{h8}"}
 -> the cue at {from} s has no speaker ({h8}) -> {from} 秒处的字幕 {h8} 没有说话人
`),
    },
  ],
  benchCommands: templateLines(`
python -m reelnote.bench all
python scripts/bench.py --warm
python scripts/bench.py --seed {n3}
`),
  bench: [
    { about: ["reelnote/fetch"], en: "1,000 segments", zh: "一千个分段", ms: 812, mib: 96 },
    { about: ["reelnote/fetch"], en: "range plan, 4 hosts", zh: "四个主机的区间规划", ms: 41, mib: 31 },
    { about: ["reelnote/speech"], en: "decode, 30 s windows", zh: "三十秒窗口解码", ms: 644, mib: 802 },
    { about: ["reelnote/speech"], en: "align, whole talk", zh: "整场对齐", ms: 931, mib: 611 },
    { about: ["reelnote/text"], en: "export, 2,400 cues", zh: "字幕导出", ms: 77, mib: 44 },
    { about: ["reelnote/store"], en: "cache, 10,000 lookups", zh: "一万次缓存查询", ms: 58, mib: 38 },
    { about: ["reelnote/store"], en: "queue of 200", zh: "两百项的队列", ms: 203, mib: 52 },
    { about: ["reelnote/cli"], en: "start to first line", zh: "启动到第一行", ms: 187, mib: 29 },
  ],
  crashes: {
    "reelnote/fetch": findings(`
reelnote.errors.RangeError: {host} answered from byte 0 to a range from {n5} ({trace})
 -> {host} answered with the whole file ({trace}) -> {host} 返回了整个文件（{trace}）
json.decoder.JSONDecodeError: Unterminated string starting at: line {n2} column {n2} (char {n4})
 -> a manifest that is cut at character {n4} -> 清单在第 {n4} 个字符处被截断
`),
    "reelnote/store": findings(`
reelnote.errors.QuotaError: {mem} requested, {mib} left
 -> the quota has {mib} left and {mem} was requested -> 配额只剩 {mib} ，请求了 {mem}
reelnote.errors.LockError: {h10} is held by pid {n5} since {n4} s
 -> a lock that pid {n5} has held for {n4} s -> 锁被进程 {n5} 占用了 {n4} 秒
`),
    "reelnote/speech": findings(`
IndexError: window {n3} is out of range
 -> an index one past the last window, {n3} -> 下标越过了最后一个窗口（{n3}）
ValueError: operands could not be broadcast together with shapes ({n4},) ({n3},) in window {n2}
 -> two shapes that do not fit in window {n2} -> 第 {n2} 个窗口里的形状对不上
`),
  },
  build: {
    commands: templateLines(`
python -m build --wheel && ls -l dist
docker build -t reelnote:{h7} . && docker image inspect reelnote:{h7}
`),
    head: templateLines(`
* Creating isolated environment: venv+pip...
* Installing packages in isolated environment: setuptools>=75, wheel
* Building wheel...
`),
    lines: templateLines(`
adding '{path}'
copying {path} -> build/lib
#{n2} [stage {n1}/9] RUN pip install --no-cache-dir {noun}-kit=={n1}.{n2}.{n1}
#{n2} sha256:{h40} {mib} / {mib} {f1}s done
#{n2} DONE {f1}s
layer {h12} {kb}
`),
    findings: findings(`
Successfully built reelnote-{h7}.whl ({kb}, {n3} files)
 -> the wheel has {kb} in {n3} files -> wheel 大小 {kb} ，共 {n3} 个文件
exporting image {h12}: {mem}, manifest {ver}
 -> the image {h12} weighs {mem} -> 镜像 {h12} 大小 {mem}
`),
  },
};
