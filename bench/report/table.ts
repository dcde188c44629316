import { type Result, type Target, verdict } from '../rows/row.ts'

/** The results as rows of text, for a terminal and for Markdown. */

const HEADINGS = [
  'work',
  'target',
  'measured',
  '',
  'requests/s',
  'yardstick',
  'p50 ms',
  'p99 ms',
  'yardstick',
  'server µs',
  'yardstick',
  'PostgreSQL µs',
  'per transaction',
  'peak MB',
]

export function terminalTable(results: readonly Result[]): string {
  const lines = [HEADINGS, ...results.map(({ row, ...rest }) => cells({ row: { ...row, work: row.name }, ...rest }))]
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)))
  const text = lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
      )
      .join('  '),
  )
  return `${[...text, ...notes(results)].join('\n')}\n`
}

export function markdownTable(results: readonly Result[]): string {
  const lines = results.map((result) => `| ${cells(result).join(' | ')} |`)
  const rule = HEADINGS.map((_, column) => (column === 0 ? '---' : '--:'))
  return [`| ${HEADINGS.join(' | ')} |`, `| ${rule.join(' | ')} |`, ...lines, '', ...notes(results)].join('\n')
}

function cells(result: Result): string[] {
  const { row, value, comparison, peakMegabytes } = result
  const { ours, yardstick } = comparison ?? {}
  return [
    row.work,
    targetText(row.target),
    amount(value, row.target.unit),
    verdict(result),
    whole(ours?.perSecond),
    whole(yardstick?.perSecond),
    tenths(ours?.p50Ms),
    tenths(ours?.p99Ms),
    tenths(yardstick?.p99Ms),
    whole(ours?.serverMicros),
    whole(yardstick?.serverMicros),
    whole(ours?.postgresMicros),
    tenths(ours && ours.requests / ours.transactions),
    whole(peakMegabytes === 0 ? undefined : peakMegabytes),
  ]
}

function notes(results: readonly Result[]): string[] {
  return results.flatMap(({ row, note, comparison }) => [
    ...(note === undefined ? [] : [`- ${row.name}: ${note}`]),
    ...(comparison?.failure === undefined
      ? []
      : [
          `- ${row.name}: ${comparison.ours.failures} requests failed, the first with ${comparison.failure.slice(0, 200)}`,
        ]),
  ])
}

function targetText(target: Target): string {
  return 'least' in target ? `≥ ${amount(target.least, target.unit)}` : `≤ ${amount(target.most, target.unit)}`
}

function amount(value: number, unit: string | undefined): string {
  if (Number.isNaN(value)) return '–'
  const text = Math.abs(value) >= 100 ? whole(value) : String(Number(value.toFixed(value < 0.1 ? 3 : 2)))
  return unit === undefined ? text : `${text} ${unit}`
}

function whole(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en')
}

function tenths(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '' : value.toFixed(1)
}
