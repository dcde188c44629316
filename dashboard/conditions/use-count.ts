import { useQuery } from '@tanstack/react-query'
import type { Condition } from '../../contract/conditions/condition.ts'
import { useEnvironment } from '../session/use-session.ts'
import { useRested } from '../shell/use-rested.ts'
import { type Count, countQuery, type Scope } from './queries.ts'

const REST_MS = 400

export interface LiveCount {
  /** What is counted: the condition after it has rested. */
  asked: Condition | undefined
  counted: Count | undefined
  /** The figures are those of a condition before. */
  isOld: boolean
  error: Error | null
  isCounting: boolean
  again: () => void
}

/** Counts again 400 ms after a change. The figures before stay until then. */
export function useCount(condition: Condition | undefined, scope: Scope): LiveCount {
  const { slug } = useEnvironment()
  const asked = useRested(condition, REST_MS)
  const { data, isPlaceholderData, error, isFetching, refetch } = useQuery(countQuery(slug, asked, scope))
  const isOld = isPlaceholderData || JSON.stringify(asked) !== JSON.stringify(condition)
  const again = () => void refetch()
  return { asked, counted: asked === undefined ? undefined : data, isOld, error, isCounting: isFetching, again }
}
