import { createHmac, createSecretKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { checkProof } from './proof.ts'

const keyOf = (secret: string) => createSecretKey(secret, 'utf8')
const secrets = ['ids_old', 'ids_new'].map((secret) => ({ id: secret, key: keyOf(secret) }))
const side = { identity: 'report' as const, secrets }
const sign = (secret: string, userId: string) => createHmac('sha256', secret).update(userId).digest('hex')

/** Keys of HS256 have to be long enough for some libraries, not for the signature itself. */
const jwt = async (secret: string, payload: object, alg = 'HS256') =>
  await new SignJWT({ exp: now() + 60, ...payload }).setProtectedHeader({ alg }).sign(keyOf(secret))
const now = () => Math.floor(Date.now() / 1000)

it('a signature is the hex HMAC of the user id under one of the live secrets', async () => {
  expect(await checkProof(side, 'u_1', { signature: sign('ids_new', 'u_1') })).toEqual({
    kind: 'signed',
    secretId: 'ids_new',
  })
  expect(await checkProof(side, 'u_1', { signature: sign('ids_old', 'u_1').toUpperCase() })).toMatchObject({
    secretId: 'ids_old',
  })
  for (const signature of [sign('ids_new', 'u_2'), sign('ids_gone', 'u_1'), 'x', sign('ids_new', 'u_1').slice(2)])
    expect(await checkProof(side, 'u_1', { signature })).toEqual({
      kind: 'wrong',
      problem: 'was not made with a live identity secret, or for another user id',
    })
  expect(await checkProof(side, 'u_1', {})).toEqual({ kind: 'unsigned' })
  expect(await checkProof(side, 'u_1', { signature: '', token: null })).toEqual({ kind: 'unsigned' })
})

it('a JWT counts by HS256 only, for its subject, and until it expires, with 30 s of skew; what is wrong is said', async () => {
  expect(await checkProof(side, 'u_1', { token: await jwt('ids_new', { sub: 'u_1', group: 'g_1' }) })).toEqual({
    kind: 'signed',
    secretId: 'ids_new',
    groupId: 'g_1',
  })
  expect((await checkProof(side, 'u_1', { token: await jwt('ids_new', { sub: 'u_1', exp: now() - 20 }) })).kind).toBe(
    'signed',
  )
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"u_1"}').toString('base64url')}.`
  const milliseconds = 'has an exp in milliseconds: it must be in seconds since 1970, or the token never ends'
  const otherSecret = 'was not made with a live identity secret'
  for (const [token, problem] of [
    [
      await jwt('ids_new', { sub: 'u_1', exp: undefined }),
      'must have exp, the time when it ends, in seconds since 1970',
    ],
    [
      await jwt('ids_old', { sub: 'u_1', exp: undefined }),
      'must have exp, the time when it ends, in seconds since 1970',
    ],
    [await jwt('ids_new', { sub: 'u_1', exp: now() - 40 }), 'has expired (exp)'],
    [await jwt('ids_new', { sub: 'u_1', exp: Date.now() + 60_000 }), milliseconds],
    [await jwt('ids_old', { sub: 'u_1', exp: Date.now() - 60_000 }), milliseconds],
    [await jwt('ids_new', { sub: 'u_1', nbf: now() + 40 }), 'does not count yet (nbf)'],
    [await jwt('ids_new', { sub: 'u_2' }), 'is for another user: sub must be the user id'],
    [await jwt('ids_new', {}), 'is for another user: sub must be the user id'],
    [await jwt('ids_gone', { sub: 'u_1' }), otherSecret],
    [await jwt('ids_gone', { sub: 'u_1', exp: undefined }), otherSecret],
    [await jwt('ids_new', { sub: 'u_1' }, 'HS512'), 'must be signed by HS256'],
    [none, 'must be signed by HS256'],
    ['x', 'is not a JWT'],
    ['a.b.c', 'is not a JWT'],
  ] as const)
    expect(await checkProof(side, 'u_1', { token }), token).toEqual({ kind: 'wrong', problem })
})

it('with the setting off nothing is checked, so nobody is verified', async () => {
  const off = { identity: 'off' as const, secrets }
  expect(await checkProof(off, 'u_1', { signature: sign('ids_new', 'u_1') })).toEqual({ kind: 'unsigned' })
})

it('a token whose group cannot be one proves nothing: without the group the page could join any', async () => {
  const proofOf = async (group: unknown) => {
    const token = await jwt('ids_new', { sub: 'u_1', group })
    return await checkProof(side, 'u_1', { token })
  }
  for (const group of ['', '.', 'g\0', 'g\ud800', 'x'.repeat(256), 1.5, 1e21, {}, [], true, false])
    expect(await proofOf(group), JSON.stringify(group)).toMatchObject({ kind: 'wrong' })
  expect([await proofOf(7), await proofOf(null)]).toMatchObject([{ groupId: '7' }, { kind: 'signed' }])
})
