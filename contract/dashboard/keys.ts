import type { Static } from 'typebox'
import { Type } from '../type.ts'
import { body, count, givenName, orNull, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'

/** The API keys of an environment. */

export const Key = resource({
  id: count,
  name: text,
  /** `ak_4hx…m7qa` */
  shown: text,
  created_by: orNull(text),
  created_at: time,
  last_used_at: orNull(time),
  revoked_at: orNull(time),
})
export type Key = Static<typeof Key>

export const keyOperations = {
  listKeys: { ...paths.listKeys, response: resource({ data: Type.Array(Key) }) },
  /** The only answer that shows the key. */
  createKey: {
    ...paths.createKey,
    body: body({ name: givenName() }),
    response: resource({ ...Key.properties, key: text }),
  },
  renameKey: { ...paths.renameKey, body: body({ name: givenName() }), response: Key },
  revokeKey: { ...paths.revokeKey, response: Key },
} as const
