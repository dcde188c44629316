import type { Static } from 'typebox'
import { Type } from '../type.ts'
import { body, count, Done, flag, givenName, givenText, orNull, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'

export const Environment = resource({
  /** Used in URLs. It is made from the first name and never changes. */
  slug: text,
  name: text,
  created_at: time,
  /** The dashboard marks the first environment with a dark square, the others with an amber one. */
  is_first: flag,
  /** After how many days events are deleted, which sentences about them say; null when they are kept. */
  keep_events_days: orNull(count),
})
export type Environment = Static<typeof Environment>

const naming = body({ name: givenName() })

export const environmentOperations = {
  listEnvironments: { ...paths.listEnvironments, response: resource({ data: Type.Array(Environment) }) },
  createEnvironment: { ...paths.createEnvironment, body: naming, response: Environment },
  renameEnvironment: { ...paths.renameEnvironment, body: naming, response: Environment },
  /** `name` confirms the deletion: it has to be the name of the environment. */
  deleteEnvironment: { ...paths.deleteEnvironment, query: Type.Object({ name: Type.String() }), response: Done },
  /** Copies display names and descriptions of the definitions that both have, from another environment into this one. */
  copyDescriptions: {
    ...paths.copyDescriptions,
    body: body({ from: givenText(100) }),
    response: resource({ events: count, attributes: count }),
  },
} as const
