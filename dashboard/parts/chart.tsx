import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { count } from '../format/number.ts'
import { clock, day } from '../format/time.ts'
import { type Mark, placeMarks } from './chart-marks.ts'
import { readColours } from './colours.ts'
import { type Drawing, plotData, plotOptions } from './plot.ts'
import { useShownTheme } from './theme.ts'

/** A value is null where there is none: the line goes on to the next. */
export type Series = { from: string; step_seconds: number; values: (number | null)[] }

type Props = {
  kind: 'line' | 'bars'
  series: Series
  /** The sentence that a screen reader hears. */
  label: string
  /** What is counted: events. */
  unit: string
  height?: number
  limit?: number | undefined
  marks?: readonly Mark[]
}

type Tip = { left: number; right: boolean; index: number }

const DAY_SECONDS = 86_400

export function Chart({ kind, series, label, unit, height = 200, limit, marks = [] }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const [tip, setTip] = useState<Tip>()
  const theme = useShownTheme()
  const times = timesOf(series)
  const key = JSON.stringify([series, limit])

  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for the figures, theme for the colours
  useEffect(() => {
    const element = box.current
    if (!element) return
    const drawing: Drawing = { kind, times, values: series.values, limit }
    const size = () => ({ width: element.clientWidth, height })
    const options = plotOptions(drawing, readColours(), size())
    options.hooks = { ...options.hooks, setCursor: [(self) => setTip(tipOf(self))] }
    const drawn = new uPlot(options, plotData(drawing), element)
    plot.current = drawn
    const watch = new ResizeObserver(() => drawn.setSize(size()))
    watch.observe(element)
    return () => {
      watch.disconnect()
      drawn.destroy()
      setTip(undefined)
    }
  }, [kind, height, key, theme])

  return (
    <figure className="chart">
      <div
        ref={box}
        className="plot"
        role="img"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrows move the cursor
        tabIndex={0}
        style={{ height }}
        onKeyDown={(event) => plot.current && moveCursor(plot.current, event)}
        onBlur={() => plot.current?.setCursor({ left: -10, top: -10 })}
      />
      {tip && (
        <div className={tip.right ? 'tip flip' : 'tip'} style={{ left: tip.left }} aria-hidden="true">
          <span className="t2">{whenOf(series, tip.index)}</span> <Value of={series.values[tip.index]} unit={unit} />
        </div>
      )}
      {marks.length > 0 && <Marks marks={marks} times={times} />}
      <div className="sr">
        <table>
          <caption>{label}</caption>
          <tbody>
            {series.values.map((value, index) => (
              <tr key={times[index]}>
                <th scope="row">{whenOf(series, index)}</th>
                <td>{value ?? 'none'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

const Value = ({ of, unit }: { of: number | null | undefined; unit: string }) =>
  of === null ? (
    'none'
  ) : (
    <>
      <b>{count(of ?? 0)}</b> {unit}
    </>
  )

/** Lines across the plot, which is between its axis (44 px) and the padding of `plotOptions`. */
function Marks({ marks, times }: { marks: readonly Mark[]; times: readonly number[] }) {
  const placed = placeMarks(marks, (times[0] ?? 0) * 1000, (times.at(-1) ?? 0) * 1000)
  return (
    <ul className="marks">
      {placed.map(({ label, left, isNamed, isFlipped }) => (
        <li key={label} className={isFlipped ? 'flip' : ''} style={{ left: `${left}%` }} title={label}>
          <span className={isNamed ? '' : 'sr'}>{label}</span>
        </li>
      ))}
    </ul>
  )
}

function timesOf(series: Series): number[] {
  const from = Date.parse(series.from) / 1000
  return series.values.map((_, index) => from + index * series.step_seconds)
}

function whenOf(series: Series, index: number): string {
  const at = new Date(Date.parse(series.from) + index * series.step_seconds * 1000)
  return series.step_seconds >= DAY_SECONDS ? day(at, new Date()) : clock(at)
}

function tipOf(plot: uPlot): Tip | undefined {
  const { idx, left } = plot.cursor
  if (idx === null || idx === undefined || left === undefined || left < 0) return undefined
  const at = plot.valToPos(plot.data[0][idx] ?? 0, 'x')
  const offset = plot.bbox.left / devicePixelRatio
  return { left: offset + at, right: at > plot.over.clientWidth / 2, index: idx }
}

function moveCursor(plot: uPlot, event: React.KeyboardEvent): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const times = plot.data[0]
  const next = Math.min(times.length - 1, Math.max(0, (plot.cursor.idx ?? times.length) + step))
  plot.setCursor({ left: plot.valToPos(times[next] ?? 0, 'x'), top: 20 })
}
