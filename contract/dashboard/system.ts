import type { Static } from 'typebox'
import { Type } from '../type.ts'
import { count, flag, number, oneOf, orNull, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'

/** The server and its database. */

export const Finding = resource({
  level: oneOf(['good', 'warning', 'bad']),
  check: text,
  what: text,
  advice: orNull(text),
})

export const System = resource({
  version: text,
  node_version: text,
  platform: text,
  database: resource({ version: text, is_embedded: flag, bytes: orNull(number) }),
  disk: orNull(resource({ free_bytes: number, total_bytes: number })),
  /** null: the installation has several accounts, and this is about all of them. */
  backlog: orNull(resource({ waiting: count, is_more: flag, oldest_at: orNull(time) })),
  nodes: Type.Array(resource({ name: text, version: text, started_at: time, seen_at: time, is_this: flag })),
  findings: Type.Array(Finding),
})
export type System = Static<typeof System>

export const systemOperations = {
  getSystem: { ...paths.getSystem, response: System },
} as const
