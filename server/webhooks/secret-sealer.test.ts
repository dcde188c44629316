import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { addSubscription } from '../../test/support/deliveries.ts'
import { silent } from '../../test/support/log.ts'
import type { EnvironmentId } from '../database/database.ts'
import { recordPresence } from '../housekeeping/presence.ts'
import { isSealed, SecretBox } from '../secrets/secret-box.ts'
import { SharedSecrets } from '../secrets/shared-secrets.ts'
import { openSecrets, placeOf, type StoredSecrets } from '../subscriptions/secrets.ts'
import { SecretSealer } from './secret-sealer.ts'

let test: TestDatabase
let environmentId: EnvironmentId
const box = new SecretBox(randomBytes(32))
const until = new Date(Date.now() + 60_000).toISOString()

beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.database.query('delete from nodes', [])
  environmentId = await createEnvironment(test.database)
})

async function storedOf(id: string): Promise<StoredSecrets> {
  const [row] = await test.database.query<StoredSecrets>(
    'select secret, previous_secrets from webhook_subscriptions where environment_id = $1::int and id = $2::uuid',
    [environmentId, id],
  )
  return row as StoredSecrets
}

async function addRotated(): Promise<string> {
  const id = await addSubscription(test.database, environmentId, 'https://hook.example/', 'whsec_new')
  await test.database.query(
    'update webhook_subscriptions set previous_secrets = $3::jsonb where environment_id = $1::int and id = $2::uuid',
    [environmentId, id, JSON.stringify([{ secret: 'whsec_old', expires_at: until }])],
  )
  return id
}

const isAllSealed = ({ secret, previous_secrets }: StoredSecrets) =>
  isSealed(secret) && !previous_secrets.includes('whsec_')

it('secrets of earlier versions are sealed at the start, old ones too, and stay the same secrets', async () => {
  await recordPresence(test.database)
  const id = await addRotated()
  const secrets = new SharedSecrets(box)
  const sealer = new SecretSealer(test.database, secrets, silent)
  await sealer.start()
  expect(secrets.isSealing).toBe(true)
  await sealer.stop()
  const stored = await storedOf(id)
  expect(isAllSealed(stored)).toBe(true)
  expect(openSecrets(secrets, placeOf(environmentId, id), stored, Date.now())).toEqual(['whsec_new', 'whsec_old'])
})

it('nothing is sealed while a node of an earlier version runs, which would sign with what is stored', async () => {
  await test.database.query(
    `insert into nodes (name, version, started_at, seen_at) values ('earlier', '0.1.0', now(), now())`,
    [],
  )
  const id = await addRotated()
  const secrets = new SharedSecrets(box)
  const sealer = new SecretSealer(test.database, secrets, silent)
  await sealer.start()
  await sealer.stop()
  expect(secrets.seal('whsec_x', 'here')).toBe('whsec_x')
  expect((await storedOf(id)).secret).toBe('whsec_new')
})

it('without a key everything stays as it is', async () => {
  const id = await addRotated()
  const sealer = new SecretSealer(test.database, new SharedSecrets(), silent)
  await sealer.start()
  await sealer.stop()
  expect((await storedOf(id)).secret).toBe('whsec_new')
})
