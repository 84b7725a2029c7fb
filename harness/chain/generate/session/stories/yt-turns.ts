/** What the user of `sim-yt` asks for. */
import type { Story, Turn } from "../story.ts";

export const ytChoices: Story["choices"] = {
  cap1: ["640 MiB", "720 MiB", "768 MiB", "900 MiB"],
  cap2: ["380 MiB", "410 MiB", "448 MiB", "480 MiB"],
  wait1: ["1500", "1800", "2200", "2400"],
  wait2: ["3200", "3600", "4500", "4800"],
  rate: ["16000", "22050", "24000"],
  model: ["141 MB", "148 MB", "156 MB"],
  cue1: ["4200", "4800", "5200"],
  cue2: ["6100", "6400", "6900"],
  memory: ["1.4 GiB", "1.6 GiB", "1.9 GiB"],
  items: ["120", "150", "180", "240"],
  talk: ["samples/keynote.json", "samples/short.json"],
  segments: ["312", "347", "418", "466"],
  seconds: ["380", "420", "540"],
  wheel: ["310 KB", "340 KB", "420 KB"],
};

export const ytTurns: readonly Turn[] = [
  {
    phase: "build",
    area: "reelnote/fetch",
    goal: { en: "the size cap of the downloader", zh: "下载器的大小上限" },
    subject: "cap what one download may keep",
    user: {
      en: "We fetch videos by link and transcribe them. Cap a file at {cap1}; begin in reelnote/fetch/range.py.",
      zh: "按链接下载视频再转写。单个文件上限 {cap1} ，从 reelnote/fetch/range.py 开始。",
    },
    rule: { key: "cap", en: "one file may not exceed {cap1}", zh: "单个文件不超过 {cap1}" },
  },
  {
    phase: "bug",
    area: "reelnote/fetch",
    goal: { en: "the stall after a dropped connection", zh: "断线后卡住的问题" },
    subject: "resume after a dropped range",
    user: {
      en: "Downloads stall on bad Wi-Fi 😕 Retry after {wait1} ms, see docs/limits.md.",
      zh: "网络差时下载会卡住。等 {wait1} 毫秒再重试，见 docs/limits.md 。",
    },
    rule: { key: "wait", en: "a retry waits {wait1} ms", zh: "重试前等 {wait1} 毫秒" },
  },
  {
    phase: "build",
    area: "reelnote/speech",
    goal: { en: "the first transcript", zh: "第一版转写" },
    subject: "decode speech in windows",
    user: {
      en: "Now transcribe: mono at {rate} Hz, model file at most {model}.",
      zh: "现在做转写：单声道 {rate} Hz，模型文件最大 {model} 。",
    },
    rule: { key: "rate", en: "speech is read as mono at {rate} Hz", zh: "音频按单声道 {rate} Hz 读取" },
  },
  {
    phase: "build",
    area: "reelnote/text",
    goal: { en: "the subtitle export", zh: "字幕导出" },
    subject: "export cues as srt and vtt",
    user: {
      en: "Subtitles next. No cue longer than {cue1} ms; put it in config/speech.yaml.",
      zh: "接着做字幕。每条不超过 {cue1} 毫秒，写进 config/speech.yaml 。",
    },
    rule: { key: "cue", en: "no cue is longer than {cue1} ms", zh: "每条字幕不超过 {cue1} 毫秒" },
  },
  {
    phase: "change",
    area: "reelnote/store",
    goal: { en: "the lower cap", zh: "更低的上限" },
    subject: "lower the cap of one download",
    user: {
      en: "Disks are small: the cap is {cap2} from now on.",
      zh: "磁盘太小，上限改为 {cap2} 。",
    },
    rule: { key: "cap", en: "one file may not exceed {cap2}", zh: "单个文件不超过 {cap2}" },
  },
  {
    phase: "bug",
    area: "reelnote/speech",
    goal: { en: "the drift of the aligner", zh: "对齐漂移" },
    subject: "stop the aligner from drifting",
    user: {
      en: "Cues drift on long talks, try {talk}.",
      zh: "长演讲的字幕会漂移，用 {talk} 试试。",
    },
  },
  {
    phase: "measure",
    area: "reelnote/speech",
    goal: { en: "the memory of a long talk", zh: "长演讲的内存占用" },
    subject: "free windows after alignment",
    user: {
      en: "Memory must stay under {memory} for a three hour talk. Does it?",
      zh: "三小时的演讲，内存要低于 {memory} ，做得到吗？",
    },
    rule: { key: "memory", en: "a three hour talk stays under {memory}", zh: "三小时演讲的内存低于 {memory}" },
  },
  {
    phase: "build",
    area: "reelnote/store",
    goal: { en: "the playlist queue", zh: "播放列表队列" },
    subject: "queue playlists and resume them",
    user: {
      en: "Playlists: {items} entries at most, resumable, config/queue.toml.",
      zh: "支持播放列表：最多 {items} 个，可恢复，见 config/queue.toml 。",
    },
    rule: { key: "items", en: "a playlist has at most {items} entries", zh: "播放列表最多 {items} 项" },
  },
  {
    phase: "change",
    area: "reelnote/cli",
    goal: { en: "the new name of the command", zh: "命令改名" },
    subject: "rename the command to talkscribe",
    user: {
      en: "Marketing renamed it: the command is talkscribe, see docs/changelog.md.",
      zh: "市场部改名了：命令叫 talkscribe，见 docs/changelog.md 。",
    },
    rule: { key: "name", en: "the command is called `talkscribe`", zh: "命令名是 `talkscribe`" },
  },
  {
    phase: "review",
    area: "reelnote/store",
    goal: { en: "the review of the queue", zh: "队列的评审意见" },
    subject: "answer the review of the queue",
    user: { en: "Please answer the open review, Yun is waiting.", zh: "请处理还没回复的评审意见，Yun 在等。" },
  },
  {
    phase: "change",
    area: "reelnote/text",
    goal: { en: "the longer cues", zh: "更长的字幕" },
    subject: "allow longer cues",
    user: {
      en: "Editors want longer cues after all: {cue2} ms.",
      zh: "编辑还是想要更长的字幕：{cue2} 毫秒。",
    },
    rule: { key: "cue", en: "a cue may last {cue2} ms", zh: "字幕最长 {cue2} 毫秒" },
  },
  {
    phase: "bug",
    area: "reelnote/fetch",
    goal: { en: "the 403 in the middle of a video", zh: "下载中途的 403" },
    subject: "renew cookies while fetching",
    user: {
      en: "A members' video dies with 403 after {segments} segments.",
      zh: "会员视频下到第 {segments} 段报 403。",
    },
  },
  {
    phase: "measure",
    area: "reelnote/speech",
    goal: { en: "the slow transcript", zh: "转写太慢的问题" },
    subject: "batch windows by length",
    user: {
      en: "Too slow! The keynote in {seconds} s, and wait {wait2} ms between retries.",
      zh: "太慢了！主题演讲要在 {seconds} 秒内，重试间隔 {wait2} 毫秒。",
    },
    rule: { key: "wait", en: "a retry waits {wait2} ms", zh: "重试前等 {wait2} 毫秒" },
  },
  {
    phase: "release",
    area: "reelnote/cli",
    goal: { en: "the release", zh: "发布" },
    subject: "release",
    user: {
      en: "Release it: wheel under {wheel}, then stop.",
      zh: "发布吧：wheel 小于 {wheel} ，然后结束。",
    },
    rule: { key: "wheel", en: "the wheel stays under {wheel}", zh: "wheel 小于 {wheel}" },
  },
];
