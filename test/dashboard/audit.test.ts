import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { ContentDocument } from '../../contract/content/document.ts'
import { emptyDocument, starters } from '../../contract/content/starters.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import type { Input, Output } from '../../contract/dashboard/operations.ts'
import { type OperationName, paths } from '../../contract/dashboard/paths.ts'
import { commandActor, record } from '../../server/audit/record.ts'
import { insertReplay } from '../../server/dashboard/webhooks/replay-queries.ts'
import { newId } from '../../server/ids.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { Browser, firstAccount, memberOf, newLinkToken, PASSWORD } from '../support/dashboard.ts'
import { LONGEST_WAIT_MS } from '../support/database.ts'
import { httpReceiver, type Receiver } from '../support/receivers.ts'

type WriteName = { [Name in OperationName]: (typeof paths)[Name]['method'] extends 'GET' ? never : Name }[OperationName]
/** The action that an operation is recorded as, what it is called with, and who calls it: the owner unless given. */
type Change<Name extends OperationName> = { action: string; input: () => Promise<Input<Name>>; by?: () => Browser }
type Changes = { [Name in WriteName]: Change<Name> | 'changes nothing that is recorded' }

let server: TestServer
let receiver: Receiver
let owner: Browser
let leaver: Browser
let stranger: Browser
beforeAll(async () => {
  server = await startTestServer()
  receiver = await httpReceiver((_, response) => void response.end('thank you'))
  owner = await memberOf(server, 'owner')
  leaver = await memberOf(server, 'viewer', 'leaver@example.com')
  stranger = new Browser(server.url)
  await server.client.post('/events', { name: 'seen', user_id: 'u_seen', attributes: { plan: 'a' } })
  await server.otherClient.post('/events', { name: 'seen', user_id: 'u_seen' })
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})

const environment = 'production'
const url = () => `http://127.0.0.1:${receiver.port}/`
const key = async () => ({
  environment,
  key_id: String((await owner.call('createKey', { environment, name: 'k' })).id),
})
const endpoint = async () => {
  const { id } = await owner.call('createEndpoint', { environment, url: url(), topics: ['*'], disabled: true })
  return { environment, endpoint_id: id }
}
const delivery = async () => {
  const at = await endpoint()
  return { ...at, notification_id: (await owner.call('testEndpoint', at)).notification_id }
}
/** No process runs it, so it is not over before it is cancelled. */
const replay = async () => {
  const at = await endpoint()
  const [id, now] = [newId(), new Date().toISOString()]
  const row = {
    id,
    subscription_id: at.endpoint_id,
    since: now,
    until: now,
    total: 0,
    started_by: null,
    started_at: now,
  }
  await insertReplay(server.database, server.environmentId, row)
  return { ...at, replay_id: id }
}
const definition = async (kind: 'listEventDefinitions' | 'listAttributeDefinitions') => {
  const [first] = (await owner.call(kind, { environment })).data
  return { environment, definition_id: String(first?.id), description: 'What it means' }
}
const segment = async () => {
  const key = `segment-${randomUUID()}`
  const condition = { attribute: 'plan', is: 'equals', value: 'a' } as const
  return { environment, key, name: 'A plan', scope: 'user', condition } as const
}
const token = async () => {
  const { id } = await owner.call('createToken', { environment, name: 'Old app' })
  return { environment, token_id: String(id) }
}
const saved = async () => {
  const { id } = await owner.call('createSegment', await segment())
  return { environment, segment_id: id }
}
const member = async () => (await (await memberOf(server, 'viewer')).call('getSession', {})).member.id

const content = async (key: string) => {
  const document = { ...(starters[0]?.document as ContentDocument), key }
  const { id } = await owner.call('createContent', { environment, document })
  return { environment, content_id: id }
}
const draft = async (key: string) => {
  const at = await content(key)
  return { at, draft: (await owner.call('getContent', at)).draft }
}

const changes: Changes = {
  signIn: {
    action: 'session.signed_in',
    input: async () => ({ email: 'leaver@example.com', password: PASSWORD }),
    by: () => stranger,
  },
  readLink: 'changes nothing that is recorded',
  useLink: {
    action: 'member.joined',
    input: async () => ({
      token: await newLinkToken(server.database, 'viewer'),
      email: 'new@example.com',
      password: PASSWORD,
    }),
    by: () => new Browser(server.url),
  },
  signOut: 'changes nothing that is recorded',
  changePassword: {
    action: 'member.password_changed',
    input: async () => ({ current_password: PASSWORD, new_password: 'another password' }),
    by: () => leaver,
  },
  updateProfile: { action: 'member.renamed', input: async () => ({ name: 'Somebody' }) },

  createEnvironment: { action: 'environment.created', input: async () => ({ name: 'Made' }) },
  renameEnvironment: { action: 'environment.renamed', input: async () => ({ environment: 'made', name: 'Named' }) },
  deleteEnvironment: { action: 'environment.deleted', input: async () => ({ environment: 'made', name: 'Named' }) },
  copyDescriptions: { action: 'definition.copied', input: async () => ({ environment, from: 'staging' }) },

  createUser: { action: 'user.created', input: async () => ({ environment, id: 'u_1', attributes: { plan: 'a' } }) },
  updateUser: {
    action: 'user.changed',
    input: async () => ({ environment, user_id: 'u_1', attributes: { plan: 'b' } }),
  },
  createGroup: { action: 'group.created', input: async () => ({ environment, id: 'g_1' }) },
  updateGroup: {
    action: 'group.changed',
    input: async () => ({ environment, group_id: 'g_1', attributes: { plan: 'b' } }),
  },
  setMembership: { action: 'user.joined', input: async () => ({ environment, user_id: 'u_1', group_id: 'g_1' }) },
  removeMembership: { action: 'user.left', input: async () => ({ environment, user_id: 'u_1', group_id: 'g_1' }) },
  trackEvent: { action: 'event.tracked', input: async () => ({ environment, name: 'seen', user_id: 'u_1' }) },
  deleteUser: { action: 'user.deleted', input: async () => ({ environment, user_id: 'u_1' }) },
  deleteGroup: { action: 'group.deleted', input: async () => ({ environment, group_id: 'g_1' }) },

  updateEventDefinition: { action: 'definition.changed', input: () => definition('listEventDefinitions') },
  updateAttributeDefinition: { action: 'definition.changed', input: () => definition('listAttributeDefinitions') },

  createContent: {
    action: 'content.created',
    input: async () => ({ environment, document: emptyDocument('banner') }),
  },
  saveDraft: {
    action: 'content.saved',
    input: async () => {
      const { at, draft: now } = await draft('saved')
      return { ...at, document: { ...now.document, name: 'Renamed' }, expected_draft: now.revision }
    },
  },
  copyContent: { action: 'content.created', input: async () => ({ ...(await content('copied')), to: 'staging' }) },
  publishContent: {
    action: 'content.published',
    input: async () => {
      const { at, draft: now } = await draft('published')
      return { ...at, expected_draft: now.revision, inside: 'finish', description: '' }
    },
  },
  unpublishContent: {
    action: 'content.unpublished',
    input: async () => {
      const { at, draft: now } = await draft('unpublished')
      await owner.call('publishContent', { ...at, expected_draft: now.revision, inside: 'finish', description: '' })
      return at
    },
  },
  openInPlace: {
    action: 'content.opened_in_place',
    input: async () => ({ ...(await content('in-place')), address: 'http://localhost:3000/', purpose: 'pick' }),
  },
  settleProposal: 'changes nothing that is recorded',
  deleteContent: { action: 'content.deleted', input: async () => await content('deleted') },
  saveTheme: {
    action: 'theme.created',
    input: async () => ({ environment, document: { ...defaultTheme, key: 'dark' } }),
  },
  showAgain: {
    action: 'user.shown_again',
    input: async () => {
      await server.client.post('/users', { id: 'u_again' })
      return { ...(await content('again')), user_id: 'u_again' }
    },
  },
  deleteTheme: {
    action: 'theme.deleted',
    input: async () => {
      await owner.call('saveTheme', { environment, document: { ...defaultTheme, key: 'gone' } })
      return { environment, theme_key: 'gone' }
    },
  },
  updateGuidance: { action: 'guidance.switched_off', input: async () => ({ environment, is_off: true }) },
  createSegment: { action: 'segment.created', input: segment },
  updateSegment: { action: 'segment.changed', input: async () => ({ ...(await saved()), name: 'Another name' }) },
  deleteSegment: { action: 'segment.deleted', input: saved },
  countCondition: 'changes nothing that is recorded',
  sampleCondition: 'changes nothing that is recorded',
  explainCondition: 'changes nothing that is recorded',

  createToken: { action: 'token.created', input: async () => ({ environment, name: 'Web app' }) },
  rotateToken: { action: 'token.rotated', input: token },
  revokeToken: { action: 'token.revoked', input: token },
  addOrigin: { action: 'origin.added', input: async () => ({ environment, origin: 'https://app.example.com' }) },
  removeOrigin: { action: 'origin.removed', input: async () => ({ environment, origin: 'https://app.example.com' }) },
  createIdentitySecret: { action: 'identity.secret_created', input: async () => ({ environment }) },
  revokeIdentitySecret: {
    action: 'identity.secret_revoked',
    input: async () => {
      const { id } = await owner.call('createIdentitySecret', { environment })
      return { environment, secret_id: id }
    },
  },
  setIdentity: { action: 'identity.changed', input: async () => ({ environment, identity: 'off' }) },

  createEndpoint: { action: 'endpoint.created', input: async () => ({ environment, url: url(), topics: ['*'] }) },
  updateEndpoint: { action: 'endpoint.changed', input: async () => ({ ...(await endpoint()), disabled: false }) },
  rotateSecret: { action: 'endpoint.secret_rotated', input: endpoint },
  testEndpoint: { action: 'endpoint.tested', input: endpoint },
  retryDelivery: { action: 'delivery.retried', input: delivery },
  startReplay: {
    action: 'endpoint.replay_started',
    input: async () => ({ ...(await endpoint()), since: new Date(Date.now() - 60_000).toISOString() }),
  },
  cancelReplay: { action: 'endpoint.replay_cancelled', input: replay },
  deleteEndpoint: { action: 'endpoint.deleted', input: endpoint },

  createKey: { action: 'key.created', input: async () => ({ environment, name: 'Back end' }) },
  renameKey: { action: 'key.renamed', input: async () => ({ ...(await key()), name: 'Renamed' }) },
  revokeKey: { action: 'key.revoked', input: key },

  updateMember: { action: 'member.role_changed', input: async () => ({ member_id: await member(), role: 'member' }) },
  createPasswordLink: { action: 'member.link_created', input: async () => ({ member_id: await member() }) },
  removeMember: { action: 'member.removed', input: async () => ({ member_id: await member() }) },
  createInvitation: { action: 'invitation.created', input: async () => ({ role: 'viewer' }) },
  revokeInvitation: {
    action: 'invitation.revoked',
    input: async () => ({ invitation_id: (await owner.call('createInvitation', { role: 'viewer' })).invitation.id }),
  },
  updateAccount: { action: 'account.changed', input: async () => ({ idle_hours: 12 }) },
}

const recorded = (Object.keys(changes) as WriteName[]).filter((name) => typeof changes[name] === 'object')

it('names every operation of the table that writes', () => {
  const writes = (Object.keys(paths) as OperationName[]).filter((name) => paths[name].method !== 'GET')
  expect(Object.keys(changes).sort()).toEqual(writes.sort())
})

it.each(recorded)(
  '%s is listed in the audit log and exported: who, what, on what, when and from where',
  async (name) => {
    const { action, input, by = () => owner } = changes[name] as Change<OperationName>
    const given = await input()
    const browser = by()
    const begun = Date.now()
    const answer = await browser.send(name, given)
    expect([name, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([name, 200, ''])
    const { member: actor } = await browser.call('getSession', {})
    const { data } = await owner.call('listAuditEntries', { limit: 5 })
    const entry = data.find(({ request_id }) => request_id === answer.headers['request-id'])
    expect(entry).toMatchObject({
      action,
      actor_kind: 'member',
      actor_id: actor.id,
      address: '127.0.0.1',
      target_kind: action.split('.')[0],
      target_id: expect.stringMatching(/./),
    })
    expect(Date.parse(entry?.at as string)).toBeGreaterThan(begun - LONGEST_WAIT_MS)
    const { text } = await owner.send('exportAuditLog', { action })
    expect(text).toContain(answer.headers['request-id'])
  },
)

describe('subscriptions that are changed through the API', () => {
  const path = '/webhook_subscriptions'
  const entriesOf = async (id: string) => {
    const { data } = await owner.call('listAuditEntries', { action: 'endpoint', environment })
    return data.filter((entry) => entry.target_id === id).toReversed()
  }

  it('are recorded with the name of the key, the address, the request, and what was changed', async () => {
    const { client } = server
    const created = await client.post(path, { url: url(), topics: ['user'] })
    const { id } = created.body
    const answers = [
      created,
      await client.patch(`${path}/${id}`, { topics: ['*'], disabled: true }),
      await client.post(`${path}/${id}/rotate_secret`, {}),
      await client.delete(`${path}/${id}`),
    ]
    const [key] = (await owner.call('listKeys', { environment })).data.slice(-1)
    const first = { url: url(), topics: ['user'], disabled: false, api_version: created.body.api_version }
    const second = { ...first, topics: ['*'], disabled: true }
    const entries = await entriesOf(id)
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'endpoint.created', before: null, after: first },
      { action: 'endpoint.changed', before: first, after: second },
      { action: 'endpoint.secret_rotated', before: null, after: null },
      { action: 'endpoint.deleted', before: second, after: null },
    ])
    for (const [index, entry] of entries.entries())
      expect(entry).toMatchObject({
        actor_kind: 'key',
        actor_id: String(key?.id),
        actor_name: key?.name || key?.shown,
        address: '127.0.0.1',
        environment,
        request_id: answers[index]?.headers['request-id'],
      })
  })

  it('are recorded once when a request is repeated, and not when nothing is changed or the change is refused', async () => {
    const { client } = server
    const [idempotent, body] = [{ 'idempotency-key': 'audited' }, { url: url(), topics: ['user'] }]
    const { id } = (await client.post(path, body, idempotent)).body
    expect((await client.post(path, body, idempotent)).body.id).toBe(id)
    await client.patch(`${path}/${id}`, body)
    expect((await client.patch(`${path}/${id}`, { url: 'ftp://example.com' })).status).toBe(400)
    for (let times = 0; times < 2; times += 1) await client.delete(`${path}/${id}`)
    expect((await entriesOf(id)).map(({ action }) => action)).toEqual(['endpoint.created', 'endpoint.deleted'])
  })

  it('have an entry for each of many changes at the same time, each with what the one before it left', async () => {
    const { client } = server
    const { id } = (await client.post(path, { url: url(), topics: ['user'] })).body
    const topics = Array.from({ length: 12 }, (_, index) => [`event.tracked.n${index}`])
    await Promise.all(topics.map((each) => client.patch(`${path}/${id}`, { topics: each })))
    const entries = (await entriesOf(id)).sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(entries).toHaveLength(13)
    const links = new Map(entries.slice(1).map(({ before, after }) => [String(before?.topics), String(after?.topics)]))
    const walked: string[] = []
    for (let at: string | undefined = 'user'; at !== undefined; at = links.get(at)) walked.push(at)
    expect(walked).toHaveLength(13)
    expect(walked.at(-1)).toBe(String((await client.get(`${path}/${id}`)).body.topics))
  })

  it('are not changed when the entry cannot be stored', async () => {
    const { client, database } = server
    const { id } = (await client.post(path, { url: url(), topics: ['user'] })).body
    await database.query('alter table audit_entries rename to audit_entries_away', [])
    const answer = await client.delete(`${path}/${id}`)
    await database.query('alter table audit_entries_away rename to audit_entries', [])
    expect(answer.status).toBe(500)
    expect((await client.get(`${path}/${id}`)).status).toBe(200)
  })
})

describe('users, groups and events that a member changes', () => {
  const actionsOf = async (target_id: string) =>
    (await owner.call('listAuditEntries', { environment, target_id })).data.map(({ action }) => action).toReversed()
  const person = { environment, user_id: 'kept' }
  const company = { environment, group_id: 'kept' }
  const link = { ...person, ...company }
  const attributes = { plan: 'b' }
  const ofKept: Partial<{ [Name in WriteName]: Input<Name> }> = {
    createUser: { environment, id: 'refused' },
    createGroup: { environment, id: 'refused' },
    updateUser: { ...person, attributes },
    updateGroup: { ...company, attributes },
    setMembership: { ...link, attributes },
    removeMembership: link,
    trackEvent: { ...person, name: 'seen' },
    deleteUser: person,
    deleteGroup: company,
  }

  it('are not changed when the entry cannot be stored', async () => {
    const { client, database } = server
    await client.post('/users', { id: 'kept', attributes: { plan: 'a' }, groups: [{ id: 'kept' }] })
    const paths = ['/users?expand=memberships', '/groups', '/events?user_id=kept']
    const stored = async () => (await Promise.all(paths.map((path) => client.get(path)))).map(({ body }) => body)
    const before = await stored()
    await database.query('alter table audit_entries rename to audit_entries_away', [])
    const refused = Object.entries(ofKept) as [WriteName, never][]
    const answers = await Promise.all(refused.map(([name, input]) => owner.send(name, input)))
    const others = await client.post('/events', { name: 'seen', user_id: 'other' })
    await database.query('alter table audit_entries_away rename to audit_entries', [])
    expect(answers.map(({ status }) => status)).toEqual(refused.map(() => 500))
    expect(others.status).toBe(200)
    expect(await stored()).toEqual(before)
  })

  // On a cluster the entry is on the coordinator and the object on a worker: each has transaction ids of its own.
  it.skipIf(inject('cluster').isDistributed)('are stored in one transaction with their entry', async () => {
    await owner.call('createUser', { environment, id: 'u_together' })
    await owner.call('createGroup', { environment, id: 'g_together' })
    const { id } = await owner.call('trackEvent', { environment, name: 'seen', user_id: 'u_together' })
    const rows = await server.database.query<{ same: boolean }>(
      `select stored.xmin = audit_entries.xmin as same
         from (select id, xmin from users union all select id, xmin from groups union all select id::text, xmin from events)
              as stored
         join audit_entries on target_id = stored.id
        where stored.id = any($1::text[])`,
      [['u_together', 'g_together', id]],
    )
    expect(rows).toEqual(Array(3).fill({ same: true }))
  })

  it('have an entry with what was stored before and after, and none when the change is refused or finds nothing', async () => {
    await owner.call('createUser', { environment, id: 'u_exact', attributes: { n: { add: 2 }, text: 'a' } })
    const change = { environment, user_id: 'u_exact' }
    const add = () => owner.send('updateUser', { ...change, attributes: { n: { add: 1 } } })
    await Promise.all([add(), add(), add()])
    const refused = await owner.send('updateUser', { ...change, attributes: { text: { add: 1 } } })
    expect(refused.status).toBe(400)
    await owner.send('removeMembership', { ...change, group_id: 'none' })
    const { data } = await owner.call('listAuditEntries', { environment, target_id: 'u_exact' })
    expect(data.find(({ action }) => action === 'user.created')?.after).toEqual({ n: 2, text: 'a' })
    const changed = data.filter(({ action }) => action === 'user.changed')
    expect(new Set(changed.map(({ before, after }) => `${before?.n} ${after?.n}`))).toEqual(
      new Set(['2 3', '3 4', '4 5']),
    )
    await Promise.all([1, 2, 3].map(() => owner.send('deleteUser', change)))
    expect((await actionsOf('u_exact')).filter((action) => action !== 'user.changed')).toEqual([
      'user.created',
      'user.deleted',
    ])
  })
})

it('lists and exports only the entries of the actor and of the target that are asked for', async () => {
  const { client, database } = server
  const path = '/webhook_subscriptions'
  const { id } = (await client.post(path, { url: url(), topics: ['user'] })).body
  await owner.call('updateEndpoint', { environment, endpoint_id: id, disabled: true })
  const byCommand = commandActor(await firstAccount(database))
  await record(database, byCommand, { action: 'endpoint.secret_rotated', target: { id } })
  const { id: ownerId } = (await owner.call('getSession', {})).member
  const [key] = (await owner.call('listKeys', { environment })).data.slice(-1)

  const actionsOf = async (filter: Input<'listAuditEntries'>) =>
    (await owner.call('listAuditEntries', { target_id: id, ...filter })).data.map(({ action }) => action)
  expect(await actionsOf({})).toEqual(['endpoint.secret_rotated', 'endpoint.changed', 'endpoint.created'])
  expect(await actionsOf({ actor_id: ownerId })).toEqual(['endpoint.changed'])
  expect(await actionsOf({ actor_id: String(key?.id) })).toEqual(['endpoint.created'])
  expect(await actionsOf({ actor_kind: 'key' })).toEqual(['endpoint.created'])
  expect(await actionsOf({ actor_kind: 'command' })).toEqual(['endpoint.secret_rotated'])
  expect(await actionsOf({ actor_kind: 'member', action: 'key' })).toEqual([])
  const { data } = await owner.call('listAuditEntries', { actor_kind: 'key', limit: 100 })
  expect(new Set(data.map(({ actor_kind }) => actor_kind))).toEqual(new Set(['key']))
  const { text } = await owner.send('exportAuditLog', { target_id: id, actor_kind: 'key' })
  expect(text.trim().split('\r\n')).toHaveLength(2)
  expect((await owner.send('listAuditEntries', { actor_kind: 'robot' } as never)).status).toBe(400)
})

it('a page of large entries ends at 4 MiB of what was changed, and the next one continues; the export has them all', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`text_${n}`, 'x'.repeat(8_000)]))
  await owner.call('createUser', { environment, id: 'u_large', attributes })
  const letters = [...'abcdefghijklmnopqrst']
  for (const letter of letters) {
    const text = letter.repeat(8_000)
    const changed = Object.fromEntries(Object.keys(attributes).map((name) => [name, text]))
    await owner.call('updateUser', { environment, user_id: 'u_large', attributes: changed })
  }
  const filter = { action: 'user', target_id: 'u_large', limit: 100 }
  const pages: Output<'listAuditEntries'>['data'][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Output<'listAuditEntries'> = await owner.call('listAuditEntries', {
      ...filter,
      ...(cursor && { cursor }),
    })
    expect(JSON.stringify(page.data).length).toBeLessThan(4.5 * 1024 * 1024)
    pages.push(page.data)
    cursor = page.next
  }
  expect(pages.length).toBeGreaterThan(1)
  const changes = pages.flat().map(({ after }) => String(after?.text_0)[0])
  expect(changes).toEqual([...letters.toReversed(), 'x'])
  const { text } = await owner.send('exportAuditLog', { target_id: 'u_large' })
  expect(text.trim().split('\r\n')).toHaveLength(22)
})

it('no secret, password or token is in the log', async () => {
  const { text } = await owner.send('exportAuditLog', {})
  expect(text).not.toMatch(/whsec_|ak_[a-z0-9]{20}|another password/)
  expect(text).not.toContain(PASSWORD)
})
