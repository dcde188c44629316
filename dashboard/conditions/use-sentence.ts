import type { Condition } from '../../contract/conditions/condition.ts'
import { keptCondition } from '../../contract/conditions/retention.ts'
import { sentenceOf } from '../../contract/conditions/sentence.ts'
import { useEnvironment } from '../session/use-session.ts'

/** A condition in the words of the server: where events are kept for some days, "ever" reads "in the last so many days". */
export function useSentence(names: Readonly<Record<string, string>>): (condition: Condition) => string {
  const { keep_events_days } = useEnvironment()
  return (condition) => sentenceOf(keptCondition(condition, keep_events_days ?? undefined), names)
}
