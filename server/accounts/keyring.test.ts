import type { QueryResultRow } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { silent } from '../../test/support/log.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { markEnvironmentDeleted } from './environment-queries.ts'
import { insertKey, revokeKey } from './key-queries.ts'
import { type Grant, Keyring, type KnownKey } from './keyring.ts'
import { hashKey, keyHints, newKey } from './keys.ts'
import { raiseRevision } from './queries.ts'

let test: TestDatabase
let environmentId: EnvironmentId
let key: string
let keyId: number

beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(async () => await test.close())
beforeEach(async () => {
  environmentId = await createEnvironment(test.database)
  key = newKey()
  keyId = await addKey(key)
})

/** The real database, whose answers to look-ups of keys and to polls can be held back or made to fail. */
class ControlledDatabase implements Queryable {
  readonly isDistributed = false
  lookups = 0
  polls = 0
  answerLookup: () => Promise<void> = async () => {}
  answerPoll: () => Promise<void> = async () => {}

  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const rows = await test.database.query<Row>(text, values)
    const isPoll = text.includes('control_revision')
    this[isPoll ? 'polls' : 'lookups'] += 1
    await (isPoll ? this.answerPoll() : this.answerLookup())
    return rows
  }
}

async function addKey(text: string): Promise<number> {
  const hints = { hash: hashKey(text), ...keyHints(text) }
  return (await insertKey(test.database, environmentId, hints, new Date().toISOString())) ?? 0
}

async function revoke(): Promise<void> {
  await revokeKey(test.database, keyId, new Date().toISOString())
  await raiseRevision(test.database)
}

async function startKeyring() {
  const database = new ControlledDatabase()
  const keyring = new Keyring(database, silent)
  onTestFinished(() => keyring.stop())
  await keyring.start()
  const connection: { key: KnownKey | undefined } = { key: undefined }
  /** Always a promise, also when the key is refused synchronously. */
  const authenticate = async (text = key): Promise<Grant> => keyring.authenticate(`Bearer ${text}`, connection)
  return { keyring, database, authenticate }
}

/** Waits until a poll that began after this call was answered. */
async function afterPoll(database: ControlledDatabase): Promise<void> {
  const { polls } = database
  await expect.poll(() => database.polls).toBeGreaterThan(polls + 1)
}

const REFUSED = 'The API key is not known, or was revoked.'

it('looks a key up once, and then uses its cache', async () => {
  const { database, authenticate } = await startKeyring()
  for (let time = 0; time < 5; time += 1)
    expect(await authenticate()).toMatchObject({ environmentId, planName: 'self_hosted' })
  expect(database.lookups).toBe(1)
})

it('looks an unknown key up once', async () => {
  const { database, authenticate } = await startKeyring()
  const unknown = newKey()
  for (let time = 0; time < 5; time += 1) await expect(authenticate(unknown)).rejects.toThrow(REFUSED)
  expect(database.lookups).toBe(1)
})

it('refuses a revoked key after the next poll, also on a connection that has used it', async () => {
  const { database, authenticate } = await startKeyring()
  await authenticate()
  await authenticate()
  await revoke()
  await afterPoll(database)
  await expect(authenticate()).rejects.toThrow(REFUSED)
})

it('accepts a key that was created after it had been refused', async () => {
  const { database, authenticate } = await startKeyring()
  const late = newKey()
  await expect(authenticate(late)).rejects.toThrow(REFUSED)
  await addKey(late)
  await raiseRevision(test.database)
  await afterPoll(database)
  expect(await authenticate(late)).toMatchObject({ environmentId })
})

it('a look-up that was under way when the key was revoked neither grants access nor is cached', async () => {
  const { database, authenticate } = await startKeyring()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  database.answerLookup = () => released
  const early = authenticate()
  early.catch(() => {})
  await expect.poll(() => database.lookups).toBe(1)
  await revoke()
  await afterPoll(database)
  database.answerLookup = async () => {}
  release()
  await expect(early).rejects.toThrow(REFUSED)
  await expect(authenticate()).rejects.toThrow(REFUSED)
})

it('asks the database for every request while polls fail, so that a revoked key still stops', async () => {
  const { database, authenticate } = await startKeyring()
  await authenticate()
  database.answerPoll = async () => {
    throw new Error('the database is unreachable')
  }
  await revoke()
  await expect.poll(() => authenticate().catch(({ message }) => message)).toBe(REFUSED)
})

it('a failed look-up is not cached', async () => {
  const { database, authenticate } = await startKeyring()
  database.answerLookup = async () => {
    throw new Error('the database is unreachable')
  }
  await expect(authenticate()).rejects.toThrow('the database is unreachable')
  database.answerLookup = async () => {}
  expect(await authenticate()).toMatchObject({ environmentId })
})

it('polls no more after a stop, also when a poll was under way', async () => {
  const { keyring, database } = await startKeyring()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  database.answerPoll = () => released
  const { polls } = database
  await expect.poll(() => database.polls).toBe(polls + 1)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  keyring.stop()
  release()
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(0)
})

it('names what is wrong with the header', async () => {
  const { keyring } = await startKeyring()
  const connection = { key: undefined }
  expect(() => keyring.authenticate(undefined, connection)).toThrow('There is no API key')
  for (const header of ['', 'Bearer', 'Bearer ', `Basic ${key}`, `Bearer ${key} x`, `Bearer ${'k'.repeat(256)}`])
    expect(() => keyring.authenticate(header, connection)).toThrow('malformed')
})

it('refuses a key that was made at the moment at which its environment was deleted', async () => {
  await markEnvironmentDeleted(test.database, environmentId)
  const { authenticate } = await startKeyring()
  await expect(authenticate()).rejects.toThrow(REFUSED)
})
