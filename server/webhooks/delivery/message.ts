import { SIGNATURE_HEADER, signWithAll } from '../../../contract/signature.ts'
import type { NotificationRow } from './claim-queries.ts'

/** The webhook_notification, as text around the stored text of the object. */
export function messageBody({ id, topic, object, created_at }: NotificationRow, apiVersion: string): Buffer {
  return Buffer.from(
    `{"id":"${id}","object":"webhook_notification","api_version":${JSON.stringify(apiVersion)},"created_at":"${created_at}","topic":${JSON.stringify(topic)},"data":{"object":${object}}}`,
  )
}

/**
 * Signed at the time of sending, over the bytes that are sent. With a prefix, the signature and the version are also
 * sent under other names, for receivers that were written for another service.
 */
export function messageHeaders(
  { secrets, apiVersion, body }: { secrets: readonly string[]; apiVersion: string; body: Buffer },
  nowMs: number,
  prefix: string | undefined,
): Record<string, string> {
  const signature = signWithAll(secrets, Math.floor(nowMs / 1000), body)
  return {
    'content-type': 'application/json; charset=utf-8',
    [SIGNATURE_HEADER.toLowerCase()]: signature,
    ...(prefix !== undefined && { [`${prefix}-Signature`]: signature, [`${prefix}-Version`]: apiVersion }),
  }
}

/** The body of each notification is rendered once for all subscriptions of a version. */
export class MessageBodies {
  readonly #bodies = new Map<string, Buffer>()

  get(notification: NotificationRow, apiVersion: string): Buffer {
    const key = `${notification.id} ${apiVersion}`
    const body = this.#bodies.get(key) ?? messageBody(notification, apiVersion)
    this.#bodies.set(key, body)
    return body
  }
}
