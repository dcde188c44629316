import type { Condition } from '../../contract/conditions/condition.ts'
import { keptCondition } from '../../contract/conditions/retention.ts'
import { sentenceOf } from '../../contract/conditions/sentence.ts'
import { useEnvironment } from '../session/use-session.ts'
import { useNames } from './use-names.ts'

/** A condition in the words of the server: where events are kept for some days, "ever" reads "in the last so many days". */
export function useSentence(): (condition: Condition) => string {
  const { keep_events_days } = useEnvironment()
  const names = useNames()
  return (condition) => sentenceOf(keptCondition(condition, keep_events_days ?? undefined), names)
}
