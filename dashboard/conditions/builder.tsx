import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Condition } from '../../contract/conditions/condition.ts'
import { announce } from '../parts/announce.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import type { BuilderParts } from './builder-parts.ts'
import type { Catalogue } from './catalogue.ts'
import { ConditionGroup } from './condition-group.tsx'
import { useDrag } from './drag.ts'
import { change, redo, undo, useHistory } from './history.ts'
import { JsonDialog } from './json-dialog.tsx'
import type { BuilderPlace } from './place.ts'
import type { Count } from './queries.ts'
import { type Box, readTree, treeOf } from './tree.ts'
import '../styles/conditions.css'

type Props = {
  /** Where it begins. Another one, such as that of an undo elsewhere, begins anew. */
  condition: Condition | undefined
  place: BuilderPlace
  catalogue: Catalogue
  counted?: Count | undefined
  isOld?: boolean
  isReadOnly?: boolean
  label: string
  /** Undefined: no row is finished. */
  onChange: (condition: Condition | undefined) => void
  /** How many rows are not finished. They are in no condition, and gone with the builder. */
  onUnfinished?: (rows: number) => void
}

/** All, any or none of rows: edited by pointer and keys, with undo, or as JSON. */
export function Builder(props: Props) {
  const {
    condition,
    place,
    catalogue,
    counted,
    isOld = false,
    isReadOnly = false,
    label,
    onChange,
    onUnfinished,
  } = props
  const given = JSON.stringify(condition)
  const [history, setHistory] = useHistory(() => treeOf(condition))
  const known = useRef(given)
  const [asJson, setAsJson] = useState(false)
  if (known.current !== given) {
    // Not what this builder said last: it was changed elsewhere.
    known.current = given
    setHistory({ now: treeOf(condition), past: [], future: [] })
  }
  const reading = useMemo(() => readTree(history.now, place), [history.now, place])
  const lines = useMemo(() => linesOf(reading.paths, counted), [reading, counted])

  const unfinished = reading.unfinished.length
  const report = useRef(onUnfinished)
  report.current = onUnfinished
  useEffect(() => {
    report.current?.(unfinished)
    return () => report.current?.(0)
  }, [unfinished])

  function put(next: typeof history) {
    if (next === history) return
    const { condition: read } = readTree(next.now, place)
    known.current = JSON.stringify(read)
    setHistory(next)
    onChange(read)
  }
  const edit = (apply: (tree: Box) => Box) => {
    const tree = apply(history.now)
    if (tree !== history.now) put(change(history, tree))
  }
  function press(event: KeyboardEvent) {
    if (!event.currentTarget.contains(event.target as Node)) return
    if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 'z') return
    const next = event.shiftKey ? redo(history) : undo(history)
    if (next === history) return
    event.preventDefault()
    event.stopPropagation()
    put(next)
    announce(event.shiftKey ? 'Done again' : 'Undone')
  }
  const drag = useDrag(edit)
  const builder: BuilderParts = {
    drag,
    catalogue,
    place,
    scope: place === 'group' ? 'group' : 'user',
    isReadOnly,
    lines,
    isOld,
    edit,
    onJson: () => setAsJson(true),
  }
  return (
    <fieldset className="builder" aria-label={label} {...(isReadOnly ? {} : { onKeyDown: press })}>
      <ConditionGroup box={history.now} level={1} builder={builder} />
      <div className="builder-tools">
        {!isReadOnly && (
          <>
            <IconButton
              icon="undo"
              label="Undo the last change of this rule"
              aria-disabled={history.past.length === 0}
              onClick={() => put(undo(history))}
            />
            <IconButton
              icon="redo"
              label="Do it again"
              aria-disabled={history.future.length === 0}
              onClick={() => put(redo(history))}
            />
          </>
        )}
        <IconButton
          icon="install"
          label={isReadOnly ? 'Show as JSON' : 'Edit or paste as JSON'}
          onClick={() => setAsJson(true)}
        />
      </div>
      {asJson && (
        <JsonDialog
          condition={reading.condition}
          place={place}
          isReadOnly={isReadOnly}
          onClose={() => setAsJson(false)}
          onSave={(next) => put(change(history, treeOf(next)))}
        />
      )}
    </fieldset>
  )
}

const isCounted = (line: (number | undefined)[]): line is [number, number] => line[1] !== undefined

/** Everybody is in one of two lines or in both: at least n times, at most n times. In both are those with exactly n. */
function exactCount(byPath: ReadonlyMap<string, number>, path: string, total: number): number | undefined {
  const [least, most] = [byPath.get(`${path}.all[0]`), byPath.get(`${path}.all[1]`)]
  return least === undefined || most === undefined ? undefined : Math.max(0, least + most - total)
}

function linesOf(paths: ReadonlyMap<number, string>, counted: Count | undefined): ReadonlyMap<number, number> {
  const byPath = new Map(counted?.lines.map(({ path, count }) => [path, count]))
  const countOf = (path: string) => byPath.get(path) ?? exactCount(byPath, path, counted?.total ?? 0)
  return new Map([...paths].flatMap(([id, path]) => [[id, countOf(path)]].filter(isCounted)))
}
