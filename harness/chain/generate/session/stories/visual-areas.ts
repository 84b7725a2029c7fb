/** The words of `sim-visual`, folder by folder. */
import { type Area, causes, phrases, words } from "../story.ts";

export const visualAreas: { readonly [directory: string]: Area } = {
  "src/scale": {
    verbs: words("nice invert clamp map round extend pick step span label"),
    nouns: words("tick domain extent span stepSize unit exponent bound zero label midnight"),
    subjects: phrases(`
      the last tick
      a domain of one value
      the zero line
      midnight labels
      a reversed extent
      the smallest exponent
    `),
    remarks: phrases(`
      the last tick lies inside the domain
      a domain of one value is widened on both sides
      a logarithmic scale has no zero
      midnight is not always a multiple of a day
      steps are one, two or five times a power of ten
      rounding happens once, at the very end
    `),
    causes: causes(`
      {n3} | {off} | the last tick is rounded past the domain | 最后一个刻度被取整到了范围之外
      {f1} | {f1} | the step is divided before it is rounded | 步长先除后取整
      undefined | {n1} | a domain of one value has no extent | 单值范围没有宽度
      {n2} | {off} | the day with 23 hours is skipped | 跳过了只有二十三小时的那一天
    `),
  },
  "src/canvas": {
    verbs: words("paint clear measure flush hit snap blit cull cache resize"),
    nouns: words("layer glyph pixelRatio hitmap stroke surface frame tile rect brush baseline"),
    subjects: phrases(`
      the top layer
      a half pixel
      the hit map
      a cached glyph
      the dirty rectangle
    `),
    remarks: phrases(`
      the pixel ratio changes when the window is dragged to another screen
      a one-pixel line belongs on half a pixel
      the hit map is painted with ids instead of colours
      text is measured once and kept
      only dirty rectangles are painted again
      the surface is cleared by its size and not by its style
    `),
    causes: causes(`
      {n3} | {off} | the size is multiplied by the pixel ratio twice | 尺寸乘了两次像素比
      {f1} | {f1} | the stroke is not snapped to half a pixel | 线条没有对齐到半像素
      "{h8}" | "{h8}" | the hit map is read before it is flushed | 命中图在刷新之前就被读取了
    `),
  },
  "src/chart": {
    verbs: words("draw stack bin bucket place shade rank split join group"),
    nouns: words("series bar cell bucket legend axis marker gap swatch point baseline"),
    subjects: phrases(`
      a missing value
      the empty cell
      the legend order
      stacked bars
      the outer marker
      two equal buckets
    `),
    remarks: phrases(`
      a missing value is a gap and not a zero
      cells are drawn from the outside in
      the legend has the order of the last column
      the palette repeats after eight colours
      a bucket includes its lower bound only
      the axis is drawn last, above the bars
    `),
    causes: causes(`
      {n2} | {off} | the upper bound falls into two buckets | 上界同时落进了两个桶
      0 | null | a missing value is drawn as a zero | 缺失值被画成了零
      {n1} | {off} | the palette starts again for every panel | 每个面板都重新开始取色
      {n3} | {off} | the gap between bars is counted on both sides | 柱间距两侧都算了一次
    `),
  },
  "src/state": {
    verbs: words("select undo redo commit diff freeze restore toggle watch replace"),
    nouns: words("selection history snapshot theme patch action listener branch token draft"),
    subjects: phrases(`
      the selection
      a redone action
      the oldest snapshot
      a listener that leaves
      the system theme
    `),
    remarks: phrases(`
      a selection is part of the history
      a snapshot shares what did not change
      listeners are called after the patch is complete
      redo is gone as soon as something new happens
      the theme follows the system until somebody picks one
    `),
    causes: causes(`
      {n2} | {off} | the selection is not part of the snapshot | 快照里没有保存选区
      {n1} | {off} | a listener is called for every patch of a batch | 一批补丁里每个都触发了监听器
      "light" | "dark" | the theme is read before the media query answers | 媒体查询返回之前就读取了主题
    `),
  },
  "src/io": {
    verbs: words("encode decode embed parse escape subset copy quote stream trim"),
    nouns: words("column row font blob path header chunk viewBox quoteMark canvas mimeType"),
    subjects: phrases(`
      a quoted comma
      the embedded font
      a wide export
      an empty column
      the view box
    `),
    remarks: phrases(`
      the font has to be embedded or the text moves
      a quoted comma does not end a field
      browsers cap the size of a canvas without saying so
      the view box is in board units and not in pixels
      an export has to look the same without a network
    `),
    causes: causes(`
      {n4} | {off} | the export is scaled by the ratio of the screen | 导出时按屏幕比例缩放了
      {n1} | {off} | a quoted line break ends the record | 引号里的换行结束了记录
      {n3} | {off} | the font subset lacks the minus sign | 字体子集里缺少减号
    `),
  },
  "src/ui": {
    verbs: words("show hide open close focus drag drop pin dock announce"),
    nouns: words("panel tooltip toolbar shortcut handle dialog badge listItem caption anchor"),
    subjects: phrases(`
      a pinned tooltip
      the focused handle
      a docked panel
      the last shortcut
      a long caption
    `),
    remarks: phrases(`
      a tooltip must not take the focus
      the panel remembers its width and not its position
      a shortcut is ignored while somebody types
      dragging starts after three pixels
      screen readers need the value and not the colour
    `),
    causes: causes(`
      {n3} | {off} | the delay starts again on every move | 每次移动都重新计时
      true | false | the tooltip takes the focus | 提示框抢了焦点
      {n2} | {off} | the panel adds its border to its width | 面板把边框也算进了宽度
    `),
  },
};
