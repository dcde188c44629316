import type { Static } from 'typebox'
import { type ContentDocument, contentTypes } from '../content/document.ts'
import { insideChoices } from '../requests/content.ts'
import { Type } from '../type.ts'
import { body, count, Done, flag, givenText, listOf, oneOf, orNull, resource, text, time } from './fields.ts'
import { dashboardLimits } from './limits.ts'
import { MissedTarget } from './missed-target.ts'
import { paths } from './paths.ts'

/** Content: its list, its draft, what publishing would do, and its versions. */

const document = Type.Unsafe<ContentDocument>({ type: 'object' })

/** The switch of an environment with who turned it, and its settings. */
export const Guidance = resource({
  is_off: flag,
  switched_by: orNull(text),
  switched_at: orNull(time),
  quiet_seconds: count,
  members_may_publish: flag,
  /** Whether the member who asks may publish. */
  may_publish: flag,
})
export type Guidance = Static<typeof Guidance>

/** `changed`: published, and the draft differs. */
export const contentStates = ['published', 'changed', 'draft'] as const
export type ContentState = (typeof contentStates)[number]

const shared = {
  id: text,
  key: text,
  type: oneOf(contentTypes),
  name: text,
  state: oneOf(contentStates),
}

/** The figures are those of the version that is published. */
export const ContentRow = resource({
  ...shared,
  /** How many steps, tasks or questions it has, and where it stands, in words. */
  size: text,
  /** The rule as a sentence. */
  who: text,
  /** Of the published version. */
  missed: orNull(MissedTarget),
  seen: orNull(count),
  completed: orNull(count),
  /** Runs that began, of each of the last 14 days, today last. */
  days: listOf(count),
  /** For conditions on answers. */
  questions: listOf(resource({ key: text, label: text, kind: text })),
  edited_at: time,
})
export type ContentRow = Static<typeof ContentRow>

const Problem = resource({ param: text, message: text })
export type Problem = Static<typeof Problem>

export const Draft = resource({
  number: count,
  /** What `expected_draft` names. */
  revision: text,
  edited_at: time,
  edited_by: orNull(text),
  document,
  /** What keeps it from being published. */
  problems: listOf(Problem),
})
export type Draft = Static<typeof Draft>

export const ContentDetail = resource({
  ...shared,
  published: orNull(resource({ number: count, published_at: time, document })),
  draft: Draft,
  versions: count,
  /** Of the published version. */
  seen: count,
  completed: count,
  missed: orNull(MissedTarget),
  address: orNull(text),
  guidance: Guidance,
})
export type ContentDetail = Static<typeof ContentDetail>

const Change = resource({
  sign: oneOf(['+', '~', '-']),
  place: text,
  words: text,
  pair: orNull(resource({ before: text, after: text })),
})

const Reached = resource({
  count,
  exact: flag,
  samples: listOf(resource({ user_id: text, name: orNull(text), sentence: text })),
})

export const PublicationPlan = resource({
  /** The number that it is going to have. */
  number: count,
  published_number: orNull(count),
  expected_draft: text,
  problems: listOf(Problem),
  warnings: listOf(Problem),
  changes: listOf(Change),
  gains: Reached,
  losses: Reached,
  /** Open runs of the published version, and when the oldest began. */
  inside: count,
  oldest_inside_at: orNull(time),
  /** Users who completed it. */
  completed: count,
})
export type PublicationPlan = Static<typeof PublicationPlan>

export const PlanProgress = resource({ looked: orNull(count), users: orNull(count) })
export type PlanProgress = Static<typeof PlanProgress>

const versionFields = {
  number: count,
  state: oneOf(['draft', 'published', 'earlier']),
  description: text,
  edited_at: time,
  edited_by: orNull(text),
  published_at: orNull(time),
}

/** `against`: the version that `changes` are from; null for the first one. */
export const Version = resource({ ...versionFields, document, against: orNull(count), changes: listOf(Change) })
export type Version = Static<typeof Version>

export const contentOperations = {
  listContent: {
    ...paths.listContent,
    response: resource({ data: listOf(ContentRow), guidance: Guidance, script_seen_at: orNull(time) }),
  },
  createContent: { ...paths.createContent, body: body({ document }), response: resource({ id: text, key: text }) },
  getContent: { ...paths.getContent, response: ContentDetail },
  saveDraft: {
    ...paths.saveDraft,
    body: body({ document, expected_draft: givenText(50) }),
    response: resource({ draft: Draft, state: oneOf(contentStates) }),
  },
  copyContent: {
    ...paths.copyContent,
    body: body({ to: givenText(100, 1) }),
    response: resource({ id: text, is_new: flag }),
  },
  planPublication: {
    ...paths.planPublication,
    query: Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
    response: PublicationPlan,
  },
  /** Of a plan that is being made: how many users it has looked at, of about how many. Nulls when this process makes none. */
  getPlanProgress: { ...paths.getPlanProgress, response: PlanProgress },
  publishContent: {
    ...paths.publishContent,
    body: body({
      expected_draft: givenText(50),
      version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      inside: oneOf(insideChoices),
      description: givenText(500),
    }),
    response: resource({ number: count }),
  },
  unpublishContent: { ...paths.unpublishContent, response: Done },
  deleteContent: { ...paths.deleteContent, response: Done },
  listVersions: {
    ...paths.listVersions,
    response: resource({ data: listOf(resource({ ...versionFields, seen: count, completed: count })) }),
  },
  /** What changed is against the version before, unless another is named. */
  getVersion: {
    ...paths.getVersion,
    query: Type.Object({ against: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
    response: Version,
  },
  updateGuidance: {
    ...paths.updateGuidance,
    body: body({
      is_off: Type.Optional(flag),
      quiet_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: dashboardLimits.quietSeconds })),
      members_may_publish: Type.Optional(flag),
    }),
    response: Guidance,
  },
} as const
