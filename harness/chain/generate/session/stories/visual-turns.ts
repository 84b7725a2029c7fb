/** What the user of `sim-visual` asks for. */
import type { Story, Turn } from "../story.ts";

export const visualChoices: Story["choices"] = {
  points1: ["12000", "15000", "18000"],
  points2: ["42000", "48000", "64000"],
  width1: ["2560", "3840", "5120"],
  width2: ["4096", "6144", "7680"],
  cells: ["2500", "3600", "4900"],
  memory: ["96 MiB", "110 MiB", "128 MiB"],
  file1: ["3.5 MB", "4.5 MB", "5.5 MB"],
  file2: ["8.5 MB", "9.5 MB", "11 MB"],
  steps: ["120", "140", "160"],
  pan: ["700", "850", "950"],
  delay: ["220", "240", "280"],
  chars: ["140", "180", "210"],
  bundle: ["148 KB", "156 KB", "164 KB"],
};

export const visualTurns: readonly Turn[] = [
  {
    phase: "build",
    area: "src/scale",
    goal: { en: "the new ticks", zh: "新的刻度" },
    subject: "ticks that stay inside the domain",
    user: {
      en: "Axis ticks run out of the plot. Series have up to {points1} points; start in src/scale/ticks.ts.",
      zh: "坐标轴刻度超出了图区。每个序列最多 {points1} 个点，从 src/scale/ticks.ts 开始。",
    },
    rule: { key: "points", en: "a series has up to {points1} points", zh: "每个序列最多 {points1} 个点" },
  },
  {
    phase: "bug",
    area: "src/canvas",
    goal: { en: "the blur on sharp screens", zh: "高分屏上的模糊" },
    subject: "paint at the real pixel ratio",
    user: {
      en: "Text is blurry 😵 Check at {width1} px wide, write it up in docs/rendering.md.",
      zh: "文字发虚。用 {width1} 像素宽检查，写进 docs/rendering.md 。",
    },
  },
  {
    phase: "build",
    area: "src/chart",
    goal: { en: "the heatmap", zh: "热力图" },
    subject: "a heatmap with buckets",
    user: {
      en: "Add a heatmap, {cells} cells at most, colours from src/chart/palette.ts, {memory} of memory.",
      zh: "加一个热力图，最多 {cells} 个格子，颜色用 src/chart/palette.ts ，内存 {memory} 。",
    },
    rule: { key: "cells", en: "a heatmap has at most {cells} cells", zh: "热力图最多 {cells} 个格子" },
  },
  {
    phase: "change",
    area: "src/chart",
    goal: { en: "the longer series", zh: "更长的序列" },
    subject: "allow longer series",
    user: {
      en: "Series may now have {points2} points. Same memory.",
      zh: "序列现在可以有 {points2} 个点，内存不变。",
    },
    rule: { key: "points", en: "a series has up to {points2} points", zh: "每个序列最多 {points2} 个点" },
  },
  {
    phase: "build",
    area: "src/io",
    goal: { en: "the export", zh: "导出" },
    subject: "export as PNG and SVG",
    user: {
      en: "Export PNG and SVG, no file above {file1}, fonts embedded.",
      zh: "导出 PNG 和 SVG，文件不超过 {file1} ，要嵌入字体。",
    },
    rule: { key: "file", en: "no export is larger than {file1}", zh: "导出文件不超过 {file1}" },
  },
  {
    phase: "bug",
    area: "src/state",
    goal: { en: "the lost selection", zh: "丢失的选区" },
    subject: "keep the selection through undo",
    user: { en: "Undo loses the selection after {steps} steps.", zh: "撤销 {steps} 步之后选区就丢了。" },
  },
  {
    phase: "measure",
    area: "src/canvas",
    goal: { en: "the stutter while panning", zh: "平移卡顿" },
    subject: "paint dirty rectangles only",
    user: {
      en: "Panning stutters. Measure a pan of {pan} px and tell me what costs.",
      zh: "平移会卡。测一下平移 {pan} 像素的开销。",
    },
  },
  {
    phase: "change",
    area: "src/io",
    goal: { en: "the larger exports", zh: "更大的导出文件" },
    subject: "raise the limit of exports",
    user: {
      en: "Exports may have {file2}, but never more than {width2} px.",
      zh: "导出文件可以到 {file2} ，但宽度不超过 {width2} 像素。",
    },
    rule: {
      key: "file",
      en: "no export is larger than {file2} or wider than {width2} px",
      zh: "导出不超过 {file2} 、宽 {width2} 像素",
    },
  },
  {
    phase: "review",
    area: "src/chart",
    goal: { en: "the review of the heatmap", zh: "热力图的评审意见" },
    subject: "answer the review of the heatmap",
    user: { en: "Mira has reviewed the heatmap. Answer her and fix it.", zh: "Mira 评审了热力图，请回复并修改。" },
  },
  {
    phase: "build",
    area: "src/ui",
    goal: { en: "the tooltips", zh: "提示框" },
    subject: "tooltips that do not take the focus",
    user: {
      en: "Tooltips: after {delay} ms, {chars} characters at most.",
      zh: "提示框：延迟 {delay} 毫秒，最多 {chars} 个字符。",
    },
    rule: { key: "tooltip", en: "a tooltip waits {delay} ms", zh: "提示框延迟 {delay} 毫秒" },
  },
  {
    phase: "release",
    area: "src/ui",
    goal: { en: "the beta", zh: "测试版" },
    subject: "beta",
    user: {
      en: "Ship a beta: bundle under {bundle}, notes in docs/releases.md.",
      zh: "发测试版：包小于 {bundle} ，说明写在 docs/releases.md 。",
    },
    rule: { key: "bundle", en: "the bundle stays under {bundle}", zh: "包小于 {bundle}" },
  },
];
