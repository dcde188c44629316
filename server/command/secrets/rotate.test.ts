import { afterEach, beforeEach, expect, it } from 'vitest'
import { usher, usherJson } from '../../../test/support/command.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { startNode } from '../../../test/support/node.ts'
import { Client } from '../../../test/support/requests.ts'
import type { EnvironmentId } from '../../database/database.ts'
import { newId } from '../../ids.ts'
import { openSecretBox } from '../../secrets/open-box.ts'
import { findKeyIds } from '../../secrets/queries.ts'
import { rotateKey } from '../../secrets/rotate.ts'
import { SecretBox } from '../../secrets/secret-box.ts'
import { readConfig } from '../../settings/config.ts'
import { sealedColumns } from './sealed-columns.ts'

const [OLD, NEW, WRONG] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string]
const keyOf = (text: string) => Buffer.from(text, 'hex')
const old = new SecretBox(keyOf(OLD))
const both = new SecretBox(keyOf(NEW), keyOf(OLD))
const next = new SecretBox(keyOf(NEW))

let test: TestDatabase
beforeEach(async () => {
  test = await createTestDatabase()
})
afterEach(() => test.close())

const settings = (key: string, other?: string) => ({
  DATABASE_URL: test.url,
  USHER_SECRET_KEY: key,
  ...(other !== undefined && { USHER_SECRET_KEY_OTHER: other }),
})

/** What each table seals, with the old key. */
async function storeSealed(environmentId: EnvironmentId): Promise<void> {
  const { database } = test
  const id = newId()
  const seal = (text: string, place: string) => old.seal(text, place)
  const place = `webhook ${environmentId} ${id}`
  const previous = [{ secret: seal('earlier', place), expires_at: '2027-01-01T00:00:00.000Z' }]
  await database.query(
    `insert into webhook_subscriptions (environment_id, id, url, url_key, topics, api_version, disabled, secret, previous_secrets, created_at)
     values ($1::int, $2::uuid, 'http://127.0.0.1:9/', 'x', '{*}', 'x', false, $3::text, $4::jsonb, now())`,
    [environmentId, id, seal('present', place), JSON.stringify(previous)],
  )
  await database.query(
    `insert into identity_secrets (environment_id, id, secret, last_four, created_at)
     values ($1::int, $2::uuid, $3::text, 'last', now())`,
    [environmentId, id, seal('identity', `identity ${environmentId} ${id}`)],
  )
  await database.query(`insert into public_settings values ($1::int, 'report', $2::text)`, [
    environmentId,
    seal('visitors', `visitors ${environmentId}`),
  ])
  await database.query(
    `insert into idempotency_keys (environment_id, key, fingerprint, body, created_at)
     values ($1::int, 'k"1', '', $2::text, now()), ($1::int, 'k2', '', '{"name":"sealed:1:0:0"}', now())`,
    [environmentId, seal('answer', `answer ${environmentId} k"1`)],
  )
}

/** What is stored, opened. */
async function readOpened(box: SecretBox): Promise<string[]> {
  const opened: string[] = []
  for (const { table, column, id, place } of sealedColumns) {
    const rows = await test.database.query<{ environment: EnvironmentId; id: string; stored: string }>(
      `select environment_id as environment, ${id}::text as id, ${column}::text as stored from ${table} order by 1, 2`,
      [],
    )
    for (const { environment, id: row, stored } of rows)
      for (const [sealed] of stored.matchAll(/^sealed[^"]+$|(?<=": ")sealed[^"]+/g))
        opened.push(box.open(sealed, place(environment, row)))
  }
  return opened
}

const ALL = ['present', 'earlier', 'identity', 'visitors', 'answer']

it('a rotation seals everything again, and the new key alone opens it', async () => {
  await storeSealed(await createEnvironment(test.database))
  await openSecretBox(readConfig(settings(OLD)), test.database)
  expect(await readOpened(old)).toEqual(ALL)
  const { stdout } = await usher(['doctor'], settings(NEW, OLD))
  expect(stdout).toContain(`4 rows sealed with another key (${old.keyId}) than the present one, ${next.keyId}`)
  expect(await usherJson(['secrets', 'rotate'], settings(NEW, OLD))).toEqual({ key: next.keyId, sealed: 5 })
  expect(await readOpened(next)).toEqual(ALL)
  expect(await findKeyIds(test.database)).toEqual([next.keyId])
  expect((await usher(['doctor'], settings(NEW))).stdout).not.toContain('sealed with another key')
  expect(await usherJson(['secrets', 'rotate'], settings(NEW))).toEqual({ key: next.keyId, sealed: 0 })
})

it('an interrupted rotation loses nothing, needs both keys, and is completed by the next', async () => {
  for (let environment = 0; environment < 3; environment += 1) await storeSealed(await createEnvironment(test.database))
  await openSecretBox(readConfig(settings(OLD)), test.database)
  await openSecretBox(readConfig(settings(NEW, OLD)), test.database)
  let updates = 0
  const query = test.database.query.bind(test.database)
  const interrupted = Object.assign(Object.create(test.database), {
    query: async (text: string, values: unknown[]) => {
      if (text.startsWith('update') && ++updates > 7) throw new Error('interrupted')
      return await query(text, values)
    },
  })
  await expect(rotateKey(interrupted, both, next.keyId as string, sealedColumns)).rejects.toThrow('interrupted')
  await expect(readOpened(next)).rejects.toThrow(`key ${old.keyId}, which is not here`)
  expect((await readOpened(both)).toSorted()).toEqual([...ALL, ...ALL, ...ALL].toSorted())
  for (const alone of [OLD, NEW])
    await expect(openSecretBox(readConfig(settings(alone)), test.database)).rejects.toThrow('USHER_SECRET_KEY_OTHER')
  expect(await rotateKey(test.database, both, next.keyId as string, sealedColumns)).toEqual({ sealed: 8, left: 0 })
  expect((await readOpened(next)).toSorted()).toEqual([...ALL, ...ALL, ...ALL].toSorted())
  await openSecretBox(readConfig(settings(NEW)), test.database)
})

it('a wrong key rotates nothing, and a row that no key opens keeps the old key known', async () => {
  const environmentId = await createEnvironment(test.database)
  await storeSealed(environmentId)
  await openSecretBox(readConfig(settings(OLD)), test.database)
  for (const wrong of [settings(NEW), settings(NEW, WRONG), settings(WRONG, NEW)]) {
    const { code, stderr } = await usher(['secrets', 'rotate'], wrong)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`sealed with the key ${old.keyId}`)])
  }
  expect(await readOpened(old)).toEqual(ALL)
  // A row that the present keys do not open is left, and so is the key that is recorded for it.
  await openSecretBox(readConfig(settings(NEW, OLD)), test.database)
  const foreign = new SecretBox(keyOf(WRONG)).seal('x', `visitors ${environmentId}`)
  await test.database.query('update public_settings set visitor_key = $1::text', [foreign])
  await expect(rotateKey(test.database, both, next.keyId as string, sealedColumns)).rejects.toThrow('which is not here')
  expect(await findKeyIds(test.database)).toEqual([old.keyId, next.keyId])
})

it('nodes with both keys open what either has sealed, and a repeat after the rotation gets its answer', async () => {
  const subscription = { url: 'http://127.0.0.1:9/', topics: ['user'] }
  const create = async (environment: Record<string, string>, key: string) => {
    const node = await startNode(environment)
    const client = new Client(node.url, key || node.key)
    const { status, body } = await client.post('/webhook_subscriptions', subscription, { 'idempotency-key': 'create' })
    await client.close()
    await node.end()
    return { key: key || node.key, status, body }
  }
  const first = await create(settings(OLD, NEW), '')
  expect(await create(settings(NEW, OLD), first.key)).toEqual(first)
  await usherJson(['secrets', 'rotate'], settings(NEW, OLD))
  expect(await create(settings(NEW), first.key)).toEqual(first)
})
