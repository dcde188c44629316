import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { EnvironmentId } from '../database/database.ts'
import { isDueForRenewal, readVisitor, signVisitor, type Visitor } from './visitor.ts'

const key = createSecretKey(randomBytes(32))
const environmentId = 7 as EnvironmentId
const visitor = {
  userId: 'ü 1',
  userCreatedAt: '2026-01-03T09:30:00.000Z',
  browserId: 'browser-1',
  groupId: null,
  onlyGroupId: 'g',
  isVerified: true,
  secretId: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f',
  format: 1,
  sent: ['a', 'b'],
}

it('a visitor token is read by the environment that made it, for an hour', () => {
  const now = Date.now()
  const token = signVisitor(key, environmentId, visitor, now)
  expect(readVisitor(key, environmentId, token, now)).toMatchObject(visitor)
  expect(readVisitor(key, environmentId, token, now + 3_598_000)).toMatchObject(visitor)
  expect(readVisitor(key, environmentId, token, now + 3_600_000)).toBeUndefined()
  expect(readVisitor(key, 8 as EnvironmentId, token, now)).toBeUndefined()
  expect(readVisitor(createSecretKey(randomBytes(32)), environmentId, token, now)).toBeUndefined()
})

it('a visitor whose ids are as long as ids can be is read', () => {
  const id = '\u{1f600}'.repeat(limits.idCharacters)
  const long = { ...visitor, userId: id, groupId: id, onlyGroupId: id, browserId: 'b'.repeat(64), sent: [] }
  const now = Date.now()
  expect(readVisitor(key, environmentId, signVisitor(key, environmentId, long, now), now)).toMatchObject(long)
})

it('a token is renewed in the second half of its hour, for a day after the page has identified its user', () => {
  const minute = 60_000
  let now = Date.now()
  let token = signVisitor(key, environmentId, visitor, now)
  const read = () => readVisitor(key, environmentId, token, now) as Visitor
  now += 29 * minute
  expect(isDueForRenewal(read(), now)).toBe(false)
  let renewals = 0
  for (; ; renewals += 1) {
    now += 31 * minute - (renewals === 0 ? 29 * minute : 0)
    if (!isDueForRenewal(read(), now)) break
    token = signVisitor(key, environmentId, read(), now)
  }
  expect(renewals).toBe(46)
  expect(readVisitor(key, environmentId, token, now + 60 * minute)).toBeUndefined()
})

it('a day after the page has identified its user no answer makes its token longer', () => {
  const begun = Date.now()
  const hour = 3_600_000
  const late = readVisitor(key, environmentId, signVisitor(key, environmentId, visitor, begun), begun) as Visitor
  const old = { ...late, token: { since: begun - 24 * hour, until: begun + 10_000 } }
  const token = signVisitor(key, environmentId, { ...old, groupId: 'another' }, begun)
  expect(readVisitor(key, environmentId, token, begun)).toMatchObject({ groupId: 'another' })
  expect(readVisitor(key, environmentId, token, begun + 10_000)).toBeUndefined()
})

it('a token tells nothing of what is in it, and two of one visitor are not the same', () => {
  const now = Date.now()
  const [one, other] = [0, 0].map(() => signVisitor(key, environmentId, visitor, now))
  expect(one).not.toBe(other)
  const bytes = Buffer.from(one as string, 'base64url').toString('latin1')
  for (const told of [visitor.userCreatedAt, visitor.browserId, '"v"']) expect(bytes).not.toContain(told)
})

it('a changed token, part of one, and any other text are nobody', () => {
  const token = signVisitor(key, environmentId, visitor, Date.now())
  const changed = [0, 20, -1].map((at) => {
    const bytes = Buffer.from(token, 'base64url')
    const place = at < 0 ? bytes.length + at : at
    bytes[place] = (bytes[place] as number) ^ 1
    return bytes.toString('base64url')
  })
  for (const other of [...changed, token.slice(4), token.slice(0, -4), '', '.', 'x.y', `${token}${'x'.repeat(5_000)}`])
    expect(readVisitor(key, environmentId, other, Date.now()), other).toBeUndefined()
})
