/** The words of `sim-stream`, crate by crate. */
import { type Area, causes, phrases, words } from "../story.ts";

export const streamAreas: { readonly [directory: string]: Area } = {
  "storage/src": {
    verbs: words("append roll seal scan compact seek flush truncate recover checksum"),
    nouns: words("segment index record snapshot frame page footer checksum tombstone extent epoch"),
    subjects: phrases(`
      the last record
      a torn frame
      the sealed segment
      an old tombstone
      the sparse index
      a missing footer
      the newest snapshot
    `),
    remarks: phrases(`
      a segment is sealed before the next one is opened
      the index is sparse and may be rebuilt at any time
      a torn frame is only allowed at the very end
      the checksum covers the length as well
      a tombstone has to outlive the slowest reader
      fsync is asked for once a batch and not once a record
      a snapshot names the first offset that it does not hold
      the footer is written last and read first
    `),
    causes: causes(`
      {n4} | {off} | the index entry points behind the frame header | 索引指到了帧头之后
      {n3} | {off} | the border record is in both segments | 边界记录同时在两个分段里
      Err(TornFrame) | Ok(()) | a torn frame in the middle is taken for the end | 中间的残帧被当成了结尾
      {n2} | {off} | the tombstone is dropped one pass too early | 墓碑早清理了一轮
      Some({n4}) | None | the snapshot counts the offset that it does not hold | 快照多算了一个偏移
    `),
  },
  "broker/src": {
    verbs: words("grant renew revoke elect route assign fence count settle adopt"),
    nouns: words("lease partition replica offset leader term tenant quota route follower heartbeat"),
    subjects: phrases(`
      an expired lease
      the second leader
      a paused replica
      the committed offset
      a fenced writer
      the smallest tenant
    `),
    remarks: phrases(`
      a lease is checked with the clock of the one who granted it
      a paused process does not know that it was paused
      the term only ever grows
      an offset is committed after the record is on two disks
      a fenced writer must hear about it at its next write
      routes are cached for as long as the lease they came with
      a tenant's quota is counted where the partition lives
    `),
    causes: causes(`
      {n1} | {off} | the term moves back after a restart | 重启后任期倒退了
      Leader | Follower | the lease is compared with the wrong clock | 租约用错了时钟比较
      {n4} | {off} | the offset is committed before the second disk has it | 第二块盘落盘之前就提交了偏移
      {n3} | {off} | the quota of a moved partition is counted twice | 迁移分区的配额被算了两次
    `),
  },
  "gateway/src": {
    verbs: words("accept reject decode encode batch throttle drain sign verify stream"),
    nouns: words("request body batch token header bucket connection deadline payload response client"),
    subjects: phrases(`
      an oversized body
      the empty bucket
      a slow client
      an expired token
      the drained connection
      a split payload
    `),
    remarks: phrases(`
      a body is counted while it streams and not after
      the bucket is refilled by time and not by requests
      a drained connection still gets its last answer
      the token is verified before the body is read
      a slow client must not hold a batch open
      limits belong to a key and not to an address
    `),
    causes: causes(`
      429 | 200 | the bucket starts empty after a deploy | 发布之后令牌桶是空的
      {n4} | {off} | the length header is trusted for a chunked body | 分块请求体仍然信任了长度头
      {n2} | {off} | the last answer of a drained connection is lost | 排空连接时丢了最后一个响应
      408 | 202 | the deadline starts before the first byte | 还没收到首字节就开始计时
    `),
  },
  "client/src": {
    verbs: words("send poll commit rewind rejoin backoff buffer resend assign close"),
    nouns: words("producer consumer cursor batch member generation ack backlog linger partition attempt"),
    subjects: phrases(`
      a lost ack
      the old generation
      a paused consumer
      the resent batch
      the first poll
    `),
    remarks: phrases(`
      an ack may be lost although the batch was stored
      a resent batch has the number of the first attempt
      a consumer of an old generation must not commit
      the cursor moves when the handler returns and not before
      backoff has jitter, or everybody comes back at once
      a batch is closed by size or by time, whichever comes first
    `),
    causes: causes(`
      {n3} | {off} | the resent batch gets a new number | 重发的批次拿到了新编号
      {n2} | {off} | the cursor moves before the handler returns | 处理函数返回之前游标就前移了
      Ok({n4}) | Err(Stale) | the old generation may still commit | 旧的代还能提交
      {n3} | {off} | the linger starts again with every record | 每条记录都重新计时
    `),
  },
  "tools/src": {
    verbs: words("inspect print replay load dump compare sample draw follow export"),
    nouns: words("table row column filter cursor window report sample bucket summary"),
    subjects: phrases(`
      a narrow table
      the row limit
      an unreadable segment
      the sample size
      a broken pipe
    `),
    remarks: phrases(`
      a broken pipe is the normal end of a tool
      a tool must never open a segment for writing
      the row limit counts rows that are shown
      load comes in bursts and not in a steady stream
      times are printed in UTC
    `),
    causes: causes(`
      {n3} | {off} | the header is counted as a row | 表头被算成了一行
      {n1} | 0 | a closed pipe is reported as an error | 管道关闭被当成了错误
      {n2} | {off} | the filter runs after the limit | 先截断后过滤
    `),
  },
};
