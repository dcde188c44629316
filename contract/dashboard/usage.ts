import type { Static } from 'typebox'
import { planNames } from '../plans.ts'
import { Type } from '../type.ts'
import { body, count, flag, oneOf, orNull, resource, Series, text, time } from './fields.ts'
import { paths } from './paths.ts'
import { Session } from './session.ts'

/** The plan of the account, and what it has used. */

export const Usage = resource({
  plan: oneOf(planNames),
  /** null: no limit. */
  requests_per_minute: orNull(count),
  has_groups: flag,
  /** Requests of all environments, the last 60 minutes, and the highest minute of 24 hours. */
  requests: Series,
  highest: count,
  highest_at: orNull(time),
  rate_limited_24_hours: count,
  environments: Type.Array(resource({ slug: text, name: text, requests_24_hours: count, users: count, groups: count })),
})
export type Usage = Static<typeof Usage>

export const usageOperations = {
  getUsage: { ...paths.getUsage, response: Usage },
  updateAccount: {
    ...paths.updateAccount,
    body: body({
      idle_hours: Type.Optional(orNull(Type.Literal(12))),
    }),
    response: Session,
  },
} as const
