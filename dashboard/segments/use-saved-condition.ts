import { useEffect, useRef, useState } from 'react'
import type { Condition } from '../../contract/conditions/condition.ts'
import { ApiError, call, mayPass } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { onSessionChange } from '../session/changes.ts'
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
  /** Who saved it meanwhile. Nothing is saved before somebody has chosen. */
  conflict: string | undefined
  /** Whether leaving the page would lose something. */
  isAtRisk: boolean
  change: (condition: Condition | undefined) => void
  save: () => void
  discard: () => void
  takeTheirs: () => void
  keepMine: () => void
}

/**
 * The rule of a segment while it is edited. It is saved 600 ms after the last change; where live content uses it, only when
 * somebody says so, because it reaches users at once. Nothing of somebody else is overwritten unseen.
 */
export function useSavedCondition(segment: Segment): SavedCondition {
  const { slug: environment } = useEnvironment()
  const [condition, setCondition] = useState<Condition | undefined>(segment.condition)
  /** What the rule was made from. */
  const [base, setBase] = useState(segment)
  const [savedAt, setSavedAt] = useState<string>()
  const [conflict, setConflict] = useState<{ problem: string; theirs: Segment }>()
  const [isSaving, setSaving] = useState(false)
  /** What could not be saved, and why. Only what may pass is tried again by itself: the same rule would be refused again. */
  const [failed, setFailed] = useState<{ text: string; problem: string; mayPass: boolean }>()
  /** What was sent without an answer: the server may have it, and then nobody else has changed it. */
  const unanswered = useRef(new Set<string>())
  const text = JSON.stringify(condition)
  const isChanged = condition !== undefined && text !== textOf(base)
  const isAgain = failed?.text === text
  const isDue = isChanged && !segment.is_live && !isSaving && !conflict && (!isAgain || failed.mayPass)
  // What somebody else saved is shown, unless that would lose what was changed here: then saving says so. An answer that was
  // under way while this page saved is older.
  if (
    segment.updated_at > base.updated_at &&
    !isSaving &&
    (text === textOf(base) || textOf(segment) === textOf(base))
  ) {
    setBase(segment)
    if (text === textOf(base)) setCondition(segment.condition)
  }
  function save(made = base) {
    if (condition && !isSaving) void store(condition, made)
  }
  async function store(condition: Condition, made: Segment): Promise<void> {
    setSaving(true)
    setConflict(undefined)
    try {
      const answer = await send(condition, made)
      unanswered.current.clear()
      if (!answer) return
      setBase(answer)
      setSavedAt(answer.updated_at)
      setFailed(undefined)
      queryClient.setQueryData(segmentQuery(environment, segment.id).queryKey, answer)
      void recount(environment, segment.key)
      // A page that was left meanwhile does not look again by itself.
      const { last } = latest.current
      if (!isShown.current && last && JSON.stringify(last) !== JSON.stringify(condition))
        return await store(last, answer)
      await queryClient.invalidateQueries({ queryKey: segmentsQuery(environment).queryKey, exact: true })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      setFailed({ text: JSON.stringify(condition), problem, mayPass: mayPass(error) })
    } finally {
      setSaving(false)
    }
  }
  /** Undefined when somebody else has changed the rule. Another name is no conflict. */
  async function send(condition: Condition, made: Segment): Promise<Segment | undefined> {
    const change = { environment, segment_id: segment.id, condition }
    unanswered.current.add(JSON.stringify(condition))
    try {
      return await call('updateSegment', { ...change, expected: made.updated_at })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'conflict') throw error
      const theirs = await queryClient.fetchQuery({ ...segmentQuery(environment, segment.id), staleTime: 0 })
      if (textOf(theirs) === textOf(made) || unanswered.current.has(textOf(theirs)))
        return await call('updateSegment', { ...change, expected: theirs.updated_at })
      setConflict({ problem: error.message, theirs })
      return undefined
    }
  }
  function take(made: Segment) {
    setBase(made)
    setConflict(undefined)
    change(made.condition)
  }
  function change(next: Condition | undefined) {
    setCondition(next)
    setFailed(undefined)
  }
  const isShown = useRef(true)
  /** `last`: what was made of the rule when somebody leaves. A rule of live content is saved only by its button. */
  const latest = useRef({ save, isDue, last: condition })
  latest.current = { save, isDue, last: segment.is_live ? undefined : condition }
  // biome-ignore lint/correctness/useExhaustiveDependencies: text stands for the condition; a finished save looks again
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(() => latest.current.save(), isAgain ? RETRY_MS : REST_MS)
    return () => clearTimeout(timer)
  }, [text, isDue])
  // What was refused since the session had ended is saved after a sign-in in another tab.
  useEffect(() => onSessionChange(() => setFailed(undefined)), [])
  // Whoever leaves the page within these 600 ms, or while an earlier change is saved, keeps the change.
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
      if (latest.current.isDue) latest.current.save()
    }
  }, [])
  return {
    condition,
    isChanged,
    isSaving,
    savedAt,
    problem: failed?.problem,
    conflict: conflict?.problem,
    isAtRisk: isChanged && (segment.is_live || failed !== undefined || conflict !== undefined),
    change,
    save: () => save(),
    discard: () => take(segment.updated_at > base.updated_at ? segment : base),
    takeTheirs: () => conflict && take(conflict.theirs),
    keepMine: () => conflict && save(conflict.theirs),
  }
}

const textOf = (segment: Segment): string => JSON.stringify(segment.condition)

/** The figure of this one in the list. All of them are counted anew after a minute. */
async function recount(environment: string, segment: string): Promise<void> {
  const counted = await call('countCondition', { environment, segment }).catch(() => undefined)
  if (!counted) return
  queryClient.setQueriesData<ReadonlyMap<string, number>>(
    { queryKey: segmentCountsKey(environment) },
    (counts) => counts && new Map([...counts, [segment, counted.count]]),
  )
}
