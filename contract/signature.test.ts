import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { newSecret, signPayload, signWithAll, verifySignature } from './signature.ts'

const secret = newSecret()
const now = 1_700_000_000
const body = '{"topic":"event.tracked.Größe 📦","n":1.50}'

/** An independent implementation of the same scheme. */
function stripeAccepts(header: string, payload: string | Buffer, key: string, nowSeconds: number): boolean {
  const provider = Stripe.createNodeCryptoProvider()
  return Stripe.webhooks.signature?.verifyHeader(payload, header, key, 300, provider, nowSeconds * 1000) === true
}

function oursAccepts(header: string, payload: string | Buffer, key: string, nowSeconds: number): boolean {
  return verifySignature({ header, body: payload, secret: key, nowSeconds }).valid
}

function accepts(verifier: typeof stripeAccepts, ...args: Parameters<typeof stripeAccepts>): boolean {
  try {
    return verifier(...args)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}

describe.each([
  ['stripe', stripeAccepts],
  ['our verifier', oursAccepts],
])('%s', (_, verifier) => {
  const header = signPayload(secret, now, body)

  it('accepts a signed body, as text and as bytes', () => {
    expect(accepts(verifier, header, body, secret, now)).toBe(true)
    expect(accepts(verifier, signPayload(secret, now, Buffer.from(body)), Buffer.from(body), secret, now)).toBe(true)
  })

  it('refuses a changed body', () => {
    expect(accepts(verifier, header, body.replace('1.50', '1.5'), secret, now)).toBe(false)
  })

  it('refuses a changed secret', () => {
    expect(accepts(verifier, header, body, newSecret(), now)).toBe(false)
  })

  it('refuses a changed timestamp', () => {
    expect(accepts(verifier, header.replace(`t=${now}`, `t=${now + 1}`), body, secret, now)).toBe(false)
  })

  it('accepts a timestamp of 300 s ago and refuses an older one', () => {
    expect(accepts(verifier, header, body, secret, now + 300)).toBe(true)
    expect(accepts(verifier, header, body, secret, now + 301)).toBe(false)
  })
})

describe('the header', () => {
  it('has one t and one v1, lower-case hex and no space', () => {
    expect(signPayload(secret, now, body)).toMatch(/^t=1700000000,v1=[0-9a-f]{64}$/)
  })

  const good = signPayload(secret, now, body)
  it.each([
    '',
    't=1700000000',
    good.slice(0, -1),
    good.replace('v1', 'v0'),
    good.toUpperCase(),
    `t=1700000000,${good}`,
    `${good},v1=${'0'.repeat(63)}`,
    good.replace('t=1700000000', 't='),
    good.replace('t=1700000000', 't=1e99'),
  ])('is refused when it is %j', (header) => {
    expect(verifySignature({ header, body, secret, nowSeconds: now }).valid).toBe(false)
  })
})

it('has a v1 for each secret while one is being rotated, and is accepted with any of them', () => {
  const [newest, old] = [newSecret(), newSecret()]
  const header = signWithAll([newest, old], now, body)
  expect(header).toMatch(/^t=1700000000,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
  for (const own of [newest, old])
    expect(verifySignature({ header, body, secret: own, nowSeconds: now }).valid).toBe(true)
  expect(verifySignature({ header, body, secret: newSecret(), nowSeconds: now }).valid).toBe(false)
  // A parser that keeps the last value of a name sees the old secret's signature.
  expect(header.endsWith(signPayload(old, now, body).split(',')[1] as string)).toBe(true)
})

it('secrets are whsec_ and 32 random bytes, and differ from each other', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSecret))
  expect(secrets.size).toBe(100)
  for (const one of secrets) expect(Buffer.from(one.replace(/^whsec_/, ''), 'base64url')).toHaveLength(32)
})
