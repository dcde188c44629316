import { useEffect, useRef, useState } from 'react'
import { count } from '../format/number.ts'
import { toast } from '../parts/toast.tsx'
import { download, exportList, MOST_EXPORTED, type Progress } from './export.ts'
import type { Kind, ListSearch } from './queries.ts'
import { WORDS } from './words.ts'

export type Export = {
  progress: Progress | undefined
  problem: string | undefined
  start: () => void
  cancel: () => void
}

/** Exports the whole list that is shown: one export at a time, until it is done, cancelled, or the page is left. */
export function useExport(kind: Kind, environment: string, search: ListSearch, columns: string[]): Export {
  const [progress, setProgress] = useState<Progress>()
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

const cutWords = (kind: Kind) =>
  `The first ${count(MOST_EXPORTED)} ${WORDS[kind].many} exported. “npx usher export ${kind}” writes all of them.`
