import type { Tally } from './tally.ts'

/** The kinds of counters for the attributes that an operation writes. */
export const attributeKinds: Record<string, AttributeKind> = {
  upsertUser: 'attribute_user',
  upsertGroup: 'attribute_group',
  trackEvent: 'attribute_event',
}
export type AttributeKind = 'attribute_user' | 'attribute_group' | 'attribute_event'

export function countEvent(tally: Tally, body: object | undefined): void {
  tally.add('event', '')
  tally.add('event_name', (body as { name: string }).name)
}

export function countAttributes(tally: Tally, kind: AttributeKind, body: object | undefined): void {
  const { attributes } = body as { attributes?: Record<string, unknown> | null }
  for (const name in attributes) tally.add(kind, name)
}

/** An operation of a batch. That of a single request is counted with its request, in `live/recorder.ts`. */
export function countOperation(tally: Tally, name: string, body: unknown): void {
  const kind = attributeKinds[name]
  if (name === 'trackEvent') countEvent(tally, body as object)
  if (kind !== undefined) countAttributes(tally, kind, body as object)
}
