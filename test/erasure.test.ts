import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TableName, tableNames } from '../server/database/tables.ts'
import { startTestServer, type TestServer } from './support/client.ts'
import { memberOf } from './support/dashboard.ts'
import { countDeliveries, eventually, type Inbox, openInbox } from './support/deliveries.ts'

/** After the deletion of a user or a group no table has its values. */

const MARKER = 'ada-lovelace-1815@example.com'
/** Kept for 24 hours: the stored answers of requests with an Idempotency-Key (SECURITY.md). */
const EXPIRES: TableName[] = ['idempotency_keys']

let server: TestServer
let inbox: Inbox
beforeAll(async () => {
  inbox = await openInbox()
  server = await startTestServer()
})
afterAll(async () => {
  await server.close()
  await inbox.close()
})

/** In which tables the marker is, wherever in a row. */
async function tablesWithMarker(): Promise<string[]> {
  const found: string[] = []
  for (const table of tableNames) {
    const rows = await server.database.query(
      `select 1 from ${table} as searched where strpos(to_jsonb(searched)::text, $1::text) > 0 limit 1`,
      [MARKER],
    )
    if (rows.length > 0) found.push(table)
  }
  return found
}

it('no table has a value of a deleted user or group, wherever it was written', async () => {
  const { client, services, database, environmentId } = server
  await client.post('/webhook_subscriptions', { url: inbox.url, topics: ['*'] })
  await client.post('/users', { id: 'known', attributes: { age: 1 } })
  await client.post('/groups', { id: 'known', attributes: { seats: 1 } })
  await client.post('/events', { name: 'e', user_id: 'known', attributes: { size: 1 } })
  const user = { id: 'u', attributes: { email: MARKER, age: MARKER }, groups: [{ id: 'g' }] }
  await client.post('/users', user, { 'idempotency-key': 'k' })
  await client.post('/groups', { id: 'g', attributes: { seats: MARKER } })
  await client.post('/events', { name: 'e', user_id: 'u', group_id: 'g', attributes: { size: MARKER } })
  const owner = await memberOf(server, 'owner')
  await owner.call('updateUser', { environment: 'production', user_id: 'u', attributes: { email: `new ${MARKER}` } })
  await owner.call('updateGroup', { environment: 'production', group_id: 'g', attributes: { seats: `new ${MARKER}` } })
  await services.usage.flush()
  await eventually('all is delivered', async () => (await countDeliveries(database, environmentId)) === 0)
  expect(await tablesWithMarker()).toEqual(
    expect.arrayContaining([
      'users',
      'groups',
      'events',
      'webhook_notifications',
      'attribute_conflicts',
      'audit_values',
    ]),
  )

  // A value that is counted in memory when its user is deleted is not written afterwards.
  await client.post('/users', { id: 'u', attributes: { age: `late ${MARKER}` } })
  expect((await client.delete('/users/u')).status).toBe(200)
  expect((await client.delete('/groups/g')).status).toBe(200)
  await services.usage.flush()
  await eventually('all is delivered', async () => (await countDeliveries(database, environmentId)) === 0)
  expect((await tablesWithMarker()).filter((table) => !EXPIRES.includes(table as TableName))).toEqual([])
  expect(JSON.stringify((await client.get('/attribute_definitions?limit=100')).body)).not.toContain(MARKER)
})

it('the audit log keeps who changed which fields of a deleted user', async () => {
  const { client } = server
  const owner = await memberOf(server, 'owner')
  await client.post('/users', { id: 'audited', attributes: { email: MARKER } })
  await owner.call('updateUser', {
    environment: 'production',
    user_id: 'audited',
    attributes: { email: `new ${MARKER}` },
  })
  const entry = async () => (await owner.call('listAuditEntries', { target_id: 'audited' })).data.at(-1)
  expect(await entry()).toMatchObject({
    before: { email: MARKER },
    after: { email: `new ${MARKER}` },
    fields: ['email'],
  })
  await client.delete('/users/audited')
  expect(await entry()).toMatchObject({ action: 'user.changed', before: null, after: null, fields: ['email'] })
})
