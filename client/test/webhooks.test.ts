import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newSecret, signPayload } from '../../contract/signature.ts'
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts'

const secret = newSecret()
const nowSeconds = 1_700_000_000
const body = '{"topic":"event.tracked.order","note":"Größe 📦"}'
const header = signPayload(secret, nowSeconds, body)
const verify = (given: Partial<{ body: string; header: string; secrets: string | string[]; now: number }> = {}) =>
  verifyWebhook(given.body ?? body, given.header ?? header, given.secrets ?? secret, {
    nowSeconds: given.now ?? nowSeconds,
  })
const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : String(error)),
  )

describe('what the server signs', () => {
  it('is accepted as text, bytes and ArrayBuffer', async () => {
    const bytes = new TextEncoder().encode(body)
    for (const raw of [body, bytes, Buffer.from(body), bytes.buffer])
      expect(await verifyWebhook(raw, header, secret, { nowSeconds })).toEqual(JSON.parse(body))
  })

  it.each([
    ['Headers', new Headers({ 'Service-Signature': header })],
    ['an object of Node', { 'service-signature': header }],
    ['an object in the case of the wire', { 'Service-Signature': header }],
    ['a list', { 'service-signature': [header] }],
  ])('is found in %s', async (_, headers) => {
    expect(await verifyWebhook(body, headers, secret, { nowSeconds })).toEqual(JSON.parse(body))
  })

  it('is accepted with any of several secrets, and with two signatures while a secret is rotated', async () => {
    const old = newSecret()
    expect(await reason(verify({ secrets: [old, secret] }))).toBe('accepted')
    const both = `${header},v1=${createHmac('sha256', old).update(`${nowSeconds}.${body}`).digest('hex')}`
    expect(await reason(verify({ header: both, secrets: old }))).toBe('accepted')
    expect(await reason(verify({ header: both }))).toBe('accepted')
    expect(await reason(verify({ header: both, secrets: newSecret() }))).toBe('wrong_signature')
  })

  it('is accepted for five minutes', async () => {
    expect(await reason(verify({ now: nowSeconds + 300 }))).toBe('accepted')
    expect(await reason(verify({ now: nowSeconds + 301 }))).toBe('expired_signature')
  })
})

it.each([
  ['a changed body', { body: `${body} ` }, 'wrong_signature'],
  ['another secret', { secrets: newSecret() }, 'wrong_signature'],
  ['another time', { header: header.replace('t=1', 't=2'), now: 2_700_000_000 }, 'wrong_signature'],
  ['no header', { header: '' }, 'missing_signature'],
  ['a header without t', { header: header.replace('t=', 'x=') }, 'malformed_signature'],
  ['a header with two t', { header: `t=1,${header}` }, 'malformed_signature'],
  ['a short signature', { header: header.slice(0, -1) }, 'malformed_signature'],
  ['a signature in upper case', { header: header.toUpperCase() }, 'malformed_signature'],
  ['a time that is none', { header: header.replace(/t=\d+/, 't=now') }, 'malformed_signature'],
  ['a signed body that is no JSON', { body: '{', header: signPayload(secret, nowSeconds, '{') }, 'malformed_body'],
])('%s is refused by name', async (_, given, expected) => {
  expect(await reason(verify(given))).toBe(expected)
})

it('a missing secret is a programming error, never a match', async () => {
  const empty = `t=${nowSeconds},v1=${createHmac('sha256', '').update(`${nowSeconds}.${body}`).digest('hex')}`
  for (const secrets of ['', [], ['']])
    expect(await reason(verify({ header: empty, secrets }))).toContain('TypeError: secret')
})

it('a parsed body is a programming error', async () => {
  await expect(verifyWebhook(JSON.parse(body), header, secret)).rejects.toThrow('rawBody:')
})
