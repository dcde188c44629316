import { limits } from '../../contract/limits.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { SealedColumn } from '../secrets/sealed-column.ts'
import type { SharedSecrets } from '../secrets/shared-secrets.ts'

/** A secret from before a rotation. It still signs until it expires. */
export interface PreviousSecret {
  secret: string
  expires_at: string
}

const NONE = '[]'

/** The secrets of a subscription as they are stored: the newest, and the JSON text of the others. */
export interface StoredSecrets {
  secret: string
  previous_secrets: string
}

/** Where the secrets of a subscription are sealed for. */
export function placeOf(environmentId: EnvironmentId, subscriptionId: string): string {
  return `webhook ${environmentId} ${subscriptionId}`
}

const row = { table: 'webhook_subscriptions', id: 'id', idType: 'uuid', place: placeOf } as const

export const sealedSubscriptions: readonly SealedColumn[] = [
  { ...row, column: 'secret', type: 'text' },
  { ...row, column: 'previous_secrets', type: 'jsonb' },
]

/** Those that are still valid, opened, the newest first. */
export function openSecrets(secrets: SharedSecrets, place: string, stored: StoredSecrets, nowMs: number): string[] {
  const { secret, previous_secrets: json } = stored
  const previous = json === NONE ? [] : stillValid(json, nowMs)
  return [secret, ...previous.map((each) => each.secret)].map((each) => secrets.open(each, place))
}

/** Seals those that are not sealed yet. */
export function sealSecrets(secrets: SharedSecrets, place: string, { secret, previous_secrets }: StoredSecrets) {
  const previous = JSON.parse(previous_secrets) as PreviousSecret[]
  return {
    secret: secrets.seal(secret, place),
    previous: previous.map((each) => ({ ...each, secret: secrets.seal(each.secret, place) })),
  }
}

/** The column after a rotation; undefined when too many old secrets are still valid. */
export function afterRotation(
  current: StoredSecrets,
  expiresAt: Date | undefined,
  nowMs: number,
): PreviousSecret[] | undefined {
  if (!expiresAt) return []
  const previous = stillValid(current.previous_secrets, nowMs)
  if (previous.length + 2 > limits.secretsPerSubscription) return undefined
  return [{ secret: current.secret, expires_at: expiresAt.toISOString() }, ...previous]
}

function stillValid(json: string, nowMs: number): PreviousSecret[] {
  return (JSON.parse(json) as PreviousSecret[]).filter(({ expires_at }) => Date.parse(expires_at) > nowMs)
}
