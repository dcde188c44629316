import uPlot from 'uplot'
import { short } from '../format/number.ts'
import { clock, day } from '../format/time.ts'
import type { Colours } from './colours.ts'
import { ticksAmong, ticksTo, topOf } from './ticks.ts'

export type Drawing = {
  kind: 'line' | 'bars'
  /** Seconds since 1970, and the figure of each. The last one is not over. */
  times: number[]
  values: (number | null)[]
  /** A line to stay below. */
  limit?: number | undefined
}

const FONT = '11px "Inter Variable", ui-sans-serif, system-ui, sans-serif'
const DAY_SECONDS = 86_400
/** Between two labels of the times. */
const SPACE = 96
/** Half of the longest label, which stands below the last point. */
const RIGHT = 20

/** The last figure is not over: the line to it is dashed, its bar is pale. So it is a separate series. It begins at the figure before. */
function split({ kind, times, values, limit }: Drawing): uPlot.AlignedData {
  const last = values.length - 1
  const done = values.map((value, index) => (index === last ? null : value))
  const before = kind === 'line' ? done.findLastIndex((value) => value !== null) : -1
  const open = values.map((value, index) => (index === last || index === before ? value : null))
  const data: (number | null)[][] = [done, open]
  if (limit !== undefined) data.push(values.map(() => limit))
  return [times, ...data] as uPlot.AlignedData
}

function series({ kind, limit }: Drawing, colours: Colours): uPlot.Series[] {
  const points = { show: false }
  if (kind === 'bars') {
    const paths = uPlot.paths.bars?.({ size: [0.56, 40] })
    const bar = (fill: string): uPlot.Series => ({ points, fill, width: 0, ...(paths ? { paths } : {}) })
    return [{}, bar(colours.bar), bar(colours['accent-soft'])]
  }
  const fill = colours.accent.replace('rgb(', 'rgba(').replace(')', ', 0.08)')
  const line: uPlot.Series = { points, stroke: colours.accent, width: 1.5, spanGaps: true }
  const limits = limit === undefined ? [] : [{ points, stroke: colours['warn-dot'], width: 1, dash: [4, 3] }]
  return [{}, { ...line, fill }, { ...line, dash: [2, 3] }, ...limits]
}

export function plotOptions(
  drawing: Drawing,
  colours: Colours,
  size: { width: number; height: number },
): uPlot.Options {
  const highest = Math.max(0, ...drawing.values.map((value) => value ?? 0), drawing.limit ?? 0)
  const daily = (drawing.times[1] ?? 0) - (drawing.times[0] ?? 0) >= DAY_SECONDS
  const axis = { font: FONT, stroke: colours['text-3'], ticks: { show: false } }
  return {
    ...size,
    padding: [8, RIGHT, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 9, width: 2, fill: () => colours.accent, stroke: () => colours.canvas },
    },
    scales: {
      x: { time: true, range: (_, from, to) => (drawing.kind === 'bars' ? padBars(drawing.times) : [from, to]) },
      y: { range: [0, topOf(highest)] },
    },
    axes: [
      {
        ...axis,
        size: 24,
        gap: 8,
        grid: { show: false },
        space: SPACE,
        ...(daily && { splits: (plot: uPlot) => ticksAmong(drawing.times, Math.floor(plot.width / SPACE)) }),
        values: (_, at) => at.map((time) => label(time, daily)),
      },
      {
        ...axis,
        size: 44,
        gap: 8,
        splits: () => ticksTo(highest),
        values: (_, values) => values.map((value) => short(value)),
        grid: { stroke: colours['border-soft'], width: 1 },
      },
    ],
    series: series(drawing, colours),
    hooks: { drawAxes: [(plot) => baseLine(plot, colours['border-control'])] },
  }
}

export const plotData = split

/** Half a step on each side, so that the first and the last bar are whole. */
function padBars(times: number[]): [number, number] {
  const step = (times[1] ?? 1) - (times[0] ?? 0)
  return [(times[0] ?? 0) - step / 2, (times.at(-1) ?? 0) + step / 2]
}

const label = (seconds: number, daily: boolean): string =>
  daily ? day(new Date(seconds * 1000), new Date()) : clock(new Date(seconds * 1000))

function baseLine(plot: uPlot, colour: string): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.strokeStyle = colour
  ctx.lineWidth = devicePixelRatio
  ctx.beginPath()
  ctx.moveTo(bbox.left, bbox.top + bbox.height)
  ctx.lineTo(bbox.left + bbox.width, bbox.top + bbox.height)
  ctx.stroke()
  ctx.restore()
}
