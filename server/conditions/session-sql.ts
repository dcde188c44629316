import type { AnswerLeaf, ContentLeaf } from '../../contract/conditions/condition.ts'
import { holdsForMissing } from '../../contract/conditions/operators.ts'

/** No session is stored yet: nobody has seen anything. */
export function contentSql({ is }: ContentLeaf): string {
  return is === 'not_seen' ? 'true' : 'false'
}

/** No answer is stored yet: every answer is missing. */
export function answerSql({ is }: AnswerLeaf): string {
  return holdsForMissing(is) ? 'true' : 'false'
}
