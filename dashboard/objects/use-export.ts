import { useEffect, useRef, useState } from 'react'
import { count } from '../format/number.ts'
import { toast } from '../parts/toast.tsx'
import { download, type ExportColumn, type ExportProgress, exportList, MOST_EXPORTED } from './export.ts'
import type { Collection, ListSearch } from './queries.ts'
import { WORDS } from './words.ts'

export type Export = {
  progress: ExportProgress | undefined
  problem: string | undefined
  start: () => void
  cancel: () => void
}

/** Exports the whole list that is shown: one export at a time, until it is done, cancelled, or the page is left. */
export function useExport(
  kind: Collection,
  environment: string,
  search: ListSearch,
  columns: readonly ExportColumn[],
): Export {
  const [progress, setProgress] = useState<ExportProgress>()
  const [problem, setProblem] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  async function run() {
    if (running.current) return
    const stop = new AbortController()
    running.current = stop
    setProblem(undefined)
    setProgress({ done: 0, looked: 0 })
    try {
      const { csv, rows, isCut } = await exportList({ kind, environment, search }, columns, setProgress, stop.signal)
      download(`${kind}.csv`, new Blob(csv, { type: 'text/csv' }))
      toast(isCut ? cutWords(kind) : `${count(rows)} ${rows === 1 ? WORDS[kind].one : WORDS[kind].many} exported.`)
    } catch (error) {
      if (!stop.signal.aborted) setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      running.current = undefined
      setProgress(undefined)
    }
  }
  return { progress, problem, start: () => void run(), cancel: () => running.current?.abort() }
}

const cutWords = (kind: Collection) =>
  `The first ${count(MOST_EXPORTED)} ${WORDS[kind].many} exported. “npx usher export ${kind}” writes all of them.`
