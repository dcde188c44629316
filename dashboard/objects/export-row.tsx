import { count } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { Meter } from '../parts/meter.tsx'
import type { Collection } from './queries.ts'
import type { Export } from './use-export.ts'
import { WORDS } from './words.ts'

type Props = {
  kind: Collection
  running: Export
  /** Null when it is not known, as under a filter. */
  total: number | null
}

/** How far an export is. */
export function ExportRow({ kind, running: { progress, problem, start, cancel }, total }: Props) {
  if (problem !== undefined)
    return (
      <p className="long-work" role="alert">
        <span className="problem-text">The list could not be exported: {problem}</span>
        <Button small onClick={start}>
          Try again
        </Button>
      </p>
    )
  if (!progress) return null
  const share = total ? Math.min(1, progress.done / total) : undefined
  return (
    <div className="long-work">
      <span className="num">{words(kind, progress, total)}</span>
      {share !== undefined && <Meter label="Export" share={share} />}
      <Button small onClick={cancel}>
        Cancel
      </Button>
    </div>
  )
}

function words(kind: Collection, { done, looked }: { done: number; looked: number }, total: number | null): string {
  const { many } = WORDS[kind]
  if (total !== null) return `Exporting ${count(done)} of ${count(total)} ${many}…`
  return looked > 0
    ? `Exporting ${count(done)} ${many} of ${count(looked)} that were looked at…`
    : `Exporting ${count(done)} ${many}…`
}
