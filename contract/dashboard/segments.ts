import type { Static } from 'typebox'
import type { Condition } from '../conditions/condition.ts'
import { CountSegment, ExplainSegment, SaveSegment } from '../requests/segments.ts'
import { Type } from '../type.ts'
import {
  body,
  count,
  Done,
  flag,
  givenId,
  givenName,
  givenText,
  givenTime,
  listOf,
  oneOf,
  orNull,
  resource,
  text,
  time,
} from './fields.ts'
import { paths } from './paths.ts'

/** Segments, and questions about conditions: how many they select, whom, and why. */

const condition = Type.Unsafe<Condition>({ type: 'object' })

/** `is_live`: content that is published uses it, so that a change reaches users at once. */
export const Segment = resource({
  id: text,
  key: text,
  name: text,
  scope: oneOf(['user', 'group']),
  condition,
  sentence: text,
  created_at: time,
  updated_at: time,
  used_by: listOf(resource({ object: text, key: text, id: orNull(text), name: text })),
  is_live: flag,
})
export type Segment = Static<typeof Segment>

const Line = resource({ path: text, count, sentence: text })

export const ConditionCount = resource({
  count,
  /** How many there are in all. */
  total: count,
  exact: flag,
  margin: orNull(count),
  lines: listOf(Line),
  warnings: listOf(text),
  at: time,
  took_ms: count,
})
export type ConditionCount = Static<typeof ConditionCount>

const Sample = resource({ id: text, name: orNull(text), sentence: text })

/** Some who fit, and some whom one part of the condition keeps out. */
export const ConditionSamples = resource({ matches: listOf(Sample), misses: listOf(Sample) })
export type ConditionSamples = Static<typeof ConditionSamples>

const outcome = orNull(flag)
const found = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

/** Why a user or a group fits a condition, or does not. */
export const ConditionReceipt = resource({
  object: text,
  met: outcome,
  sentence: text,
  group_id: orNull(text),
  leaves: listOf(resource({ path: text, met: outcome, value: found, needed: text, sentence: text })),
})
export type ConditionReceipt = Static<typeof ConditionReceipt>

export const segmentOperations = {
  listSegments: { ...paths.listSegments, response: resource({ data: listOf(Segment) }) },
  getSegment: { ...paths.getSegment, response: Segment },
  createSegment: {
    ...paths.createSegment,
    body: body({ key: SaveSegment.properties.key, name: givenName(), scope: oneOf(['user', 'group']), condition }),
    response: Segment,
  },
  updateSegment: {
    ...paths.updateSegment,
    /** `expected`: the `updated_at` of the segment that was changed, so that nobody's change is lost unseen. */
    body: body({
      name: Type.Optional(givenName()),
      condition: Type.Optional(condition),
      expected: Type.Optional(givenTime),
    }),
    response: Segment,
  },
  deleteSegment: { ...paths.deleteSegment, response: Done },
  countCondition: { ...paths.countCondition, body: CountSegment, response: ConditionCount },
  sampleCondition: {
    ...paths.sampleCondition,
    body: body({ condition, scope: oneOf(['user', 'group']) }),
    response: ConditionSamples,
  },
  explainCondition: { ...paths.explainCondition, body: ExplainSegment, response: ConditionReceipt },
  /** Values of an attribute that were seen lately, the most frequent first. */
  listValues: {
    ...paths.listValues,
    query: Type.Object({
      of: oneOf(['user', 'group', 'membership', 'event']),
      name: givenText(255),
      event: Type.Optional(givenText(255)),
    }),
    response: resource({ data: listOf(text) }),
  },
  /** The segments of a user or a group, with the reason for each. */
  listSegmentsOf: {
    ...paths.listSegmentsOf,
    query: Type.Object({ scope: oneOf(['user', 'group']), id: givenId }),
    response: resource({ data: listOf(resource({ key: text, name: text, is_in: orNull(flag), sentence: text })) }),
  },
} as const
