/** The words of `sim-yt`, package by package. */
import { type Area, causes, phrases, words } from "../story.ts";

export const ytAreas: { readonly [directory: string]: Area } = {
  "reelnote/fetch": {
    verbs: words("plan resume retry fetch verify open throttle split renew clamp"),
    nouns: words("range segment manifest cookie attempt host header chunk stream variant etag"),
    subjects: phrases(`
      the last segment
      an empty manifest
      the part file
      expired cookies
      a truncated chunk
      a redirected host
      the retry delay
    `),
    remarks: phrases(`
      the server may ignore the range and send everything
      the last segment is shorter than the others
      hosts disagree about the length header
      a retry must not lose what is already on disk
      cookies expire while the queue is still waiting
      an empty manifest is an error and not an empty video
      the etag changes when a host is redeployed
      a throttled host answers slowly before it answers 429
    `),
    causes: causes(`
      {n4} | {off} | the end of the range is counted twice | 区间的末尾被算了两次
      None | {n3} | the length header is missing and nobody asks again | 缺少长度头，也没有再次请求
      '{h8}' | '{h8}' | the digest is taken before the last flush | 摘要在最后一次落盘之前就算了
      {n2} | {off} | the part file of the first run is not found again | 找不到上一次运行留下的临时文件
      False | True | the cookie is checked against local time | cookie 用本地时间判断是否过期
    `),
  },
  "reelnote/media": {
    verbs: words("probe remux demux extract detect list pick trim scale mark"),
    nouns: words("track chapter frame container codec thumbnail channel stream keyframe sample"),
    subjects: phrases(`
      a silent track
      duplicate chapters
      the first keyframe
      a mono channel
      an unknown codec
    `),
    remarks: phrases(`
      the container lies about its duration
      chapters may overlap by a frame
      the first keyframe is not always at zero
      a silent track is still a track
      thumbnails are taken from the middle and not from the start
    `),
    causes: causes(`
      {n3} | {off} | the chapter without a title is skipped | 没有标题的章节被跳过了
      {f2} | {f2} | the duration comes from the container | 时长取自容器
    `),
  },
  "reelnote/speech": {
    verbs: words("decode align batch score merge pad slide load shift free"),
    nouns: words("window token speaker silence model sample batch word logit timestamp beam"),
    subjects: phrases(`
      a short window
      two speakers
      the model file
      repeated words
      a long silence
      the overlap
    `),
    remarks: phrases(`
      a window never starts inside a word
      silence is kept for the aligner
      the decoder reports samples and everyone else milliseconds
      the order of speakers is not the order of channels
      a repeated phrase means that the temperature was too low
      the last window is padded and its padding must not be aligned
      the model is loaded once and shared by all workers
    `),
    causes: causes(`
      {f2} | {f3} | samples and milliseconds are mixed up | 采样点和毫秒混用了
      {n3} | {off} | the overlap is added to every window but the first | 除第一个窗口外都多加了重叠
      ['S2', 'S1'] | ['S1', 'S2'] | speakers are ordered by channel | 说话人按声道排序了
      {n4} | {off} | the padding of the last window is aligned, too | 最后一个窗口的填充也参与了对齐
    `),
  },
  "reelnote/text": {
    verbs: words("wrap export split join punctuate render shift measure number escape"),
    nouns: words("cue line caption sentence language gap speaker offset style block comma"),
    subjects: phrases(`
      overlapping cues
      the longest line
      an empty caption
      a cue without words
      right-to-left text
    `),
    remarks: phrases(`
      a cue must not outlive its speaker
      a line may not end in an article
      players round to whole milliseconds
      the comma in a timestamp is a dot in the other format
      two cues may share one start
      wide characters count double when a line is wrapped
    `),
    causes: causes(`
      [{n3}, {n3}] | [{n3}] | two cues with one start are kept apart | 起点相同的两条字幕没有合并
      {n2} | {off} | wide characters are counted once | 全角字符只算了一个宽度
      '{f2}' | '{f2}' | the timestamp is cut and not rounded | 时间戳被截断而不是四舍五入
    `),
  },
  "reelnote/store": {
    verbs: words("reserve release store expire lock claim count evict restore sync"),
    nouns: words("job quota entry lock queue budget lease slot digest index state"),
    subjects: phrases(`
      the reserved bytes
      a cancelled job
      a stale lock
      the oldest entry
      the queue order
      a half-written index
    `),
    remarks: phrases(`
      the quota counts what is reserved, not only what is written
      the cache is only trusted after its digest was checked
      two jobs may ask for one video
      a lock outlives the process that took it
      the index is written last
      an entry that is being read must not be evicted
      the queue is read again after every job
    `),
    causes: causes(`
      {n5} | {off} | reserved bytes stay reserved when a job is cancelled | 任务取消后预留空间没有释放
      'running' | 'queued' | the stale lock is taken for a living one | 过期的锁被当成有效的
      {n2} | {off} | the entry is evicted while it is read | 条目在读取时被清除了
    `),
  },
  "reelnote/cli": {
    verbs: words("parse print report ask show draw format warn exit summarise"),
    nouns: words("option progress report line column alias prompt width bar summary"),
    subjects: phrases(`
      the old command name
      a narrow terminal
      an unknown option
      the exit code
      the progress line
    `),
    remarks: phrases(`
      the exit code tells scripts more than the text does
      the old name has to work for one more release
      progress goes to stderr and results to stdout
      an option given twice wins the second time
      the terminal may be narrower than the longest title
    `),
    causes: causes(`
      {n1} | 0 | the warning sets the exit code | 警告改变了退出码
      'reelnote' | 'talkscribe' | the help text is cached with the old name | 帮助文本缓存了旧名字
    `),
  },
};
