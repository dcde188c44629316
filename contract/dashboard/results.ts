import type { Static } from 'typebox'
import { questionKinds } from '../content/document.ts'
import { Type } from '../type.ts'
import { count, givenText, listOf, number, oneOf, orNull, paging, resource, text, time } from './fields.ts'
import { figureKinds } from './figure-kinds.ts'
import { MissedTarget } from './missed-target.ts'
import { paths } from './paths.ts'

/** How a version of a content does. A run is one session of a user: for content that shows once, as many as users. */

/** `left`: runs that ended here without being completed, by the reason. */
const StepResult = resource({
  key: text,
  title: text,
  type: text,
  /** How far it is indented: 0, or 1 or 2 in a branch. */
  depth: count,
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
  /** Answers with a text that is no option. */
  other: count,
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
  /** Of all versions, by the day on which runs began, the oldest first; at most 60. */
  days: listOf(resource({ day: text, seen: count, completed: count })),
  /** Of a checklist: in how many runs each task was completed. */
  tasks: listOf(resource({ key: text, name: text, completed: count })),
  questions: listOf(QuestionResult),
  /** The version that it is compared with, and the answers to its questions of kind `nps`. */
  against: orNull(resource({ ...figures, questions: listOf(QuestionResult) })),
  missed: orNull(MissedTarget),
  /** Those that were published, the newest first, with when each went live. */
  versions: listOf(resource({ number: count, published_at: time })),
})
export type Results = Static<typeof Results>

const Answer = resource({
  id: text,
  user_id: text,
  user_name: orNull(text),
  text,
  /** What the same run gave to the NPS question of its version. */
  score: orNull(count),
  at: time,
})

const version = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))

/** Runs that began within so many days (UTC), today among them; all without it. */
const days = Type.Optional(Type.Integer({ minimum: 1, maximum: 366 }))

/** Which runs of a version a figure counts. */
const runFilter = {
  of: oneOf(figureKinds),
  /** Of `left` and `reached`. Of a checklist `reached` names a task. */
  step: Type.Optional(givenText(64)),
  /** Of `left`. */
  reason: Type.Optional(givenText(64)),
  /** Of `answered`: the question, and the answer as text. */
  question: Type.Optional(givenText(64)),
  value: Type.Optional(givenText(1000)),
}
const RunFilter = Type.Object(runFilter)
export type RunFilter = Static<typeof RunFilter>

/** A run that a figure counts. */
const CountedRun = resource({
  id: text,
  user_id: text,
  user_name: orNull(text),
  at: time,
  completed_at: orNull(time),
  ended_at: orNull(time),
  end_reason: orNull(text),
})

/** What pages have told of a target in the last 24 hours. */
const TargetResult = resource({
  step: text,
  title: text,
  /** Of the step, from 1; 0 of a launcher, which has no steps. */
  number: count,
  /** In the order in which they are tried, with how often each found the element. */
  locators: listOf(resource({ locator: text, found: count })),
  missing: count,
  /** The oldest first. */
  hours: listOf(resource({ found: count, missing: count })),
  /** Since when no page has found it. */
  missing_since: orNull(time),
  /** The hour in which it was last looked for. */
  last_at: orNull(time),
})
export type TargetResult = Static<typeof TargetResult>

export const resultOperations = {
  getResults: { ...paths.getResults, query: Type.Object({ version, against: version, days }), response: Results },
  listAnswers: {
    ...paths.listAnswers,
    query: Type.Object({
      question: givenText(64, 1),
      q: Type.Optional(givenText(200)),
      version,
      days,
      /** `next` of the page before. */
      before: Type.Optional(givenText(4096)),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 20 })),
    }),
    response: resource({ data: listOf(Answer), next: orNull(text) }),
  },
  listCountedRuns: {
    ...paths.listCountedRuns,
    query: Type.Object({
      ...runFilter,
      version,
      days,
      cursor: paging.cursor,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
    }),
    response: resource({ data: listOf(CountedRun), next: orNull(text) }),
  },
  listTargets: {
    ...paths.listTargets,
    query: Type.Object({ version }),
    response: resource({ number: count, data: listOf(TargetResult) }),
  },
  /** A CSV file: the runs by day, step and reason, or how often each answer was given. Of every version without `version`. */
  exportResults: {
    ...paths.exportResults,
    query: Type.Object({ of: Type.Optional(oneOf(['runs', 'answers'])), version, days }),
    response: text,
  },
} as const
