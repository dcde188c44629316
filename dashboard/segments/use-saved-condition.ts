import { useEffect, useRef, useState } from 'react'
import type { Condition } from '../../contract/conditions/condition.ts'
import { call, mayPass } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { useEnvironment } from '../session/use-session.ts'
import { type Segment, segmentCountsKey, segmentQuery, segmentsQuery } from './queries.ts'

const REST_MS = 600
const RETRY_MS = 3000

export interface SavedCondition {
  condition: Condition | undefined
  isChanged: boolean
  isSaving: boolean
  savedAt: string | undefined
  problem: string | undefined
  change: (condition: Condition | undefined) => void
  save: () => void
  discard: () => void
}

/**
 * The rule of a segment while it is edited. It is saved 600 ms after the last change; where live content uses it, only when
 * somebody says so, because it reaches users at once.
 */
export function useSavedCondition(segment: Segment): SavedCondition {
  const { slug: environment } = useEnvironment()
  const [condition, setCondition] = useState<Condition | undefined>(segment.condition)
  const [saved, setSaved] = useState({ text: JSON.stringify(segment.condition), at: undefined as string | undefined })
  const [isSaving, setSaving] = useState(false)
  /** What could not be saved, and why. Only what may pass is tried again by itself: the same rule would be refused again. */
  const [failed, setFailed] = useState<{ text: string; problem: string; mayPass: boolean }>()
  const text = JSON.stringify(condition)
  const isChanged = condition !== undefined && text !== saved.text
  const isAgain = failed?.text === text
  const isDue = isChanged && !segment.is_live && !isSaving && (!isAgain || failed.mayPass)
  async function save() {
    if (!condition || isSaving) return
    setSaving(true)
    try {
      const answer = await call('updateSegment', { environment, segment_id: segment.id, condition })
      setSaved({ text: JSON.stringify(condition), at: answer.updated_at })
      setFailed(undefined)
      queryClient.setQueryData(segmentQuery(environment, segment.id).queryKey, answer)
      void recount(environment, segment.key)
      await queryClient.invalidateQueries({ queryKey: segmentsQuery(environment).queryKey, exact: true })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      setFailed({ text: JSON.stringify(condition), problem, mayPass: mayPass(error) })
    } finally {
      setSaving(false)
    }
  }
  function change(next: Condition | undefined) {
    setCondition(next)
    setFailed(undefined)
  }
  const latest = useRef({ save, isDue })
  latest.current = { save, isDue }
  // biome-ignore lint/correctness/useExhaustiveDependencies: text stands for the condition; a finished save looks again
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => void latest.current.save(), isAgain ? RETRY_MS : REST_MS)
    return () => clearTimeout(timer)
  }, [text, isDue])
  // Whoever leaves the page within these 600 ms keeps the change.
  useEffect(
    () => () => {
      if (latest.current.isDue) void latest.current.save()
    },
    [],
  )
  return {
    condition,
    isChanged,
    isSaving,
    savedAt: saved.at,
    problem: failed?.problem,
    change,
    save: () => void save(),
    discard: () => change(JSON.parse(saved.text) as Condition),
  }
}

/** The figure of this one in the list. All of them are counted anew after a minute. */
async function recount(environment: string, segment: string): Promise<void> {
  const counted = await call('countCondition', { environment, segment }).catch(() => undefined)
  if (!counted) return
  queryClient.setQueriesData<Record<string, number>>(
    { queryKey: segmentCountsKey(environment) },
    (counts) => counts && { ...counts, [segment]: counted.count },
  )
}
