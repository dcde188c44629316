import type { Static } from 'typebox'
import { questionKinds } from '../content/document.ts'
import { Type } from '../type.ts'
import { count, givenText, listOf, number, oneOf, orNull, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'

/** How a version of a content does. A run is one session of a user: for content that shows once, as many as users. */

/** `left`: runs that ended here without being completed, by the reason. */
const StepResult = resource({
  key: text,
  title: text,
  type: text,
  reached: count,
  open: count,
  left: listOf(resource({ reason: text, runs: count })),
})
export type StepResult = Static<typeof StepResult>

/** `counts`: of `nps` the answers 0 to 10, of `rating` 1 to 5. */
const QuestionResult = resource({
  key: text,
  label: text,
  kind: oneOf(questionKinds),
  answers: count,
  counts: listOf(count),
  options: listOf(resource({ value: text, answers: count })),
})
export type QuestionResult = Static<typeof QuestionResult>

const figures = {
  number: count,
  seen: count,
  completed: count,
  open: count,
  /** Of completed runs, in seconds: half of them, and nine of ten, took at most so long. */
  median_seconds: orNull(number),
  p90_seconds: orNull(number),
}

export const Results = resource({
  ...figures,
  published_at: orNull(time),
  /** Runs that ended without being completed, by the reason, where the content has no steps. */
  left: listOf(resource({ reason: text, runs: count })),
  steps: listOf(StepResult),
  /** By the day on which runs began, the oldest first; at most 60. */
  days: listOf(resource({ day: text, seen: count, completed: count })),
  questions: listOf(QuestionResult),
  /** The version that it is compared with, and the answers to its questions of kind `nps`. */
  against: orNull(resource({ ...figures, questions: listOf(QuestionResult) })),
  /** Users of this version whose page did not find its first element within a day, and since when. */
  missing: orNull(resource({ users: count, since: time })),
  versions: listOf(count),
})
export type Results = Static<typeof Results>

const Answer = resource({ id: text, user_id: text, user_name: orNull(text), text, at: time })

const version = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))

export const resultOperations = {
  getResults: { ...paths.getResults, query: Type.Object({ version, against: version }), response: Results },
  listAnswers: {
    ...paths.listAnswers,
    query: Type.Object({ question: givenText(64, 1), q: Type.Optional(givenText(200)), before: Type.Optional(text) }),
    response: resource({ data: listOf(Answer), next: orNull(text) }),
  },
  exportResults: { ...paths.exportResults, response: text },
} as const
