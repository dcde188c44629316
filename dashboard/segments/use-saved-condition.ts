import { useEffect, useRef, useState } from 'react'
import type { Condition } from '../../contract/conditions/condition.ts'
import { call } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { useEnvironment } from '../session/use-session.ts'
import { type Segment, segmentQuery, segmentsQuery } from './queries.ts'

const REST_MS = 600

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
  const [problem, setProblem] = useState<string>()
  const text = JSON.stringify(condition)
  const isChanged = condition !== undefined && text !== saved.text
  async function save() {
    if (!condition || isSaving) return
    setSaving(true)
    try {
      const answer = await call('updateSegment', { environment, segment_id: segment.id, condition })
      setSaved({ text: JSON.stringify(condition), at: answer.updated_at })
      setProblem(undefined)
      queryClient.setQueryData(segmentQuery(environment, segment.id).queryKey, answer)
      await queryClient.invalidateQueries({ queryKey: segmentsQuery(environment).queryKey, exact: true })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setSaving(false)
    }
  }
  const latest = useRef(save)
  latest.current = save
  // biome-ignore lint/correctness/useExhaustiveDependencies: text stands for the condition; a finished save looks again
  useEffect(() => {
    if (!isChanged || segment.is_live || isSaving) return
    const timer = setTimeout(() => void latest.current(), REST_MS)
    return () => clearTimeout(timer)
  }, [text, isChanged, segment.is_live, isSaving])
  return {
    condition,
    isChanged,
    isSaving,
    savedAt: saved.at,
    problem,
    change: setCondition,
    save: () => void save(),
    discard: () => setCondition(JSON.parse(saved.text) as Condition),
  }
}
