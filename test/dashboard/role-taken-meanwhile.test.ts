import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FlowDocument } from '../../contract/content/document.ts'
import { starters } from '../../contract/content/starters.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import type { Input } from '../../contract/dashboard/operations.ts'
import { type OperationName, paths } from '../../contract/dashboard/paths.ts'
import { newId } from '../../server/ids.ts'
import { changeBeforeTransaction, changeMeanwhile } from '../support/change-meanwhile.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { Browser, memberOf } from '../support/dashboard.ts'
import { uniqueName } from '../support/postgres.ts'

let server: TestServer
let other: Browser
beforeAll(async () => {
  server = await startTestServer()
  other = await memberOf(server, 'owner')
})
afterAll(async () => await server.close())

const environment = 'production'
const flow = starters[0]?.document as FlowDocument

/** Takes the role away after the request was admitted, before its transaction begins. */
const takenMeanwhile = <T>(take: () => Promise<unknown>, send: () => Promise<T>) =>
  changeBeforeTransaction(server.services.database, take, send)

const setRole = async (browser: Browser, role: string) => {
  const { member } = await browser.call('getSession', {})
  return async () =>
    await server.database.query('update members set role = $2::text where id = $1::uuid', [member.id, role])
}

const idOf = async (browser: Browser) => (await browser.call('getSession', {})).member.id

type Inputs = { [Name in OperationName]?: (browser: Browser) => Promise<Input<Name>> | Input<Name> }

/** Every write that needs more than the role of a viewer. */
const inputs: Inputs = {
  createEnvironment: () => ({ name: 'Taken' }),
  renameEnvironment: () => ({ environment, name: 'Taken' }),
  deleteEnvironment: () => ({ environment: 'staging', name: 'Staging' }),
  copyDescriptions: () => ({ environment, from: 'staging' }),
  updateGuidance: () => ({ environment, members_may_publish: true }),
  createToken: () => ({ environment, name: 'Taken' }),
  rotateToken: async () => ({ environment, token_id: await tokenId() }),
  revokeToken: async () => ({ environment, token_id: await tokenId() }),
  addOrigin: () => ({ environment, origin: 'https://taken.example.com' }),
  removeOrigin: () => ({ environment, origin: 'localhost' }),
  createIdentitySecret: () => ({ environment }),
  revokeIdentitySecret: () => ({ environment, secret_id: '01890a5d-ac96-774b-bcce-b302099a8057' }),
  setIdentity: () => ({ environment, identity: 'report' }),
  createEndpoint: () => ({ environment, url: 'http://127.0.0.1:9/hook', topics: ['*'] }),
  updateEndpoint: async () => ({ environment, endpoint_id: await endpointId(), disabled: true }),
  deleteEndpoint: async () => ({ environment, endpoint_id: await endpointId() }),
  rotateSecret: async () => ({ environment, endpoint_id: await endpointId() }),
  createKey: () => ({ environment, name: 'Taken' }),
  renameKey: async () => ({ environment, key_id: await keyId(), name: 'Taken' }),
  revokeKey: async () => ({ environment, key_id: await keyId() }),
  updateMember: async () => ({ member_id: await idOf(await memberOf(server, 'viewer')), role: 'admin' }),
  removeMember: async () => ({ member_id: await idOf(await memberOf(server, 'viewer')) }),
  createPasswordLink: async () => ({ member_id: await idOf(await memberOf(server, 'viewer')) }),
  createInvitation: () => ({ role: 'viewer' }),
  revokeInvitation: async () => ({
    invitation_id: (await other.call('createInvitation', { role: 'viewer' })).invitation.id,
  }),
  updateAccount: () => ({ idle_hours: 12 }),
  createUser: () => ({ environment, id: uniqueName('u') }),
  updateUser: async () => ({ environment, user_id: await userId(), attributes: { name: 'Taken' } }),
  deleteUser: async () => ({ environment, user_id: await userId() }),
  createGroup: () => ({ environment, id: uniqueName('g') }),
  updateGroup: async () => ({ environment, group_id: await groupId(), attributes: { name: 'Taken' } }),
  deleteGroup: async () => ({ environment, group_id: await groupId() }),
  setMembership: async () => ({ environment, user_id: await userId(), group_id: await groupId() }),
  removeMembership: async () => {
    const membership = { environment, user_id: await userId(), group_id: await groupId() }
    await other.call('setMembership', membership)
    return membership
  },
  trackEvent: async () => {
    const event = { environment, name: 'taken', user_id: 'u_1' }
    await other.call('trackEvent', event)
    return event
  },
  updateEventDefinition: async () => ({
    environment,
    definition_id: await definitionId('event'),
    description: 'Taken',
  }),
  updateAttributeDefinition: async () => ({
    environment,
    definition_id: await definitionId('attribute'),
    written_by: 'anyone',
    description: 'Taken',
  }),
  createContent: () => ({ environment, document: flow }),
  saveDraft: async () => {
    const { content_id, draft } = await content()
    return { environment, content_id, document: { ...draft.document, name: 'Taken' }, expected_draft: draft.revision }
  },
  copyContent: async () => ({ environment, content_id: (await content()).content_id, to: 'staging' }),
  publishContent: async () => {
    const { content_id, draft } = await content()
    return { environment, content_id, expected_draft: draft.revision, inside: 'finish', description: '' }
  },
  unpublishContent: async () => ({ environment, content_id: (await content()).content_id }),
  deleteContent: async () => ({ environment, content_id: (await content()).content_id }),
  openInPlace: async () => ({
    environment,
    content_id: (await content()).content_id,
    address: 'http://localhost/taken',
    purpose: 'pick',
  }),
  settleProposal: async (browser) => {
    const { content_id } = await content()
    const page = { environment, content_id, address: 'http://localhost/page', purpose: 'pick' } as const
    const { id: edit_id } = await browser.call('openInPlace', page)
    return { environment, content_id, edit_id, proposal_id: newId(), confirmed: true }
  },
  saveTheme: () => ({ environment, document: { ...defaultTheme, key: uniqueName('theme') } }),
  deleteTheme: async () => {
    const key = uniqueName('theme')
    await other.call('saveTheme', { environment, document: { ...defaultTheme, key } })
    return { environment, theme_key: key }
  },
  createSegment: () => ({
    environment,
    key: uniqueName('segment'),
    name: 'Taken',
    scope: 'user',
    condition: growing,
  }),
  updateSegment: async () => ({ environment, segment_id: await segmentId(), name: 'Taken' }),
  deleteSegment: async () => ({ environment, segment_id: await segmentId() }),
  showAgain: async () => ({ environment, content_id: (await content()).content_id, user_id: await userId() }),
  testEndpoint: async () => ({ environment, endpoint_id: await endpointId() }),
  retryDelivery: async () => {
    const endpoint_id = await endpointId()
    const { notification_id } = await other.call('testEndpoint', { environment, endpoint_id })
    return { environment, endpoint_id, notification_id }
  },
  startReplay: async () => ({ environment, endpoint_id: await endpointId(), since: new Date(0).toISOString() }),
  cancelReplay: async () => {
    const endpoint_id = await endpointId()
    const since = new Date(0).toISOString()
    const { id } = await other.call('startReplay', { environment, endpoint_id, since })
    return { environment, endpoint_id, replay_id: id }
  },
}

const growing = { attribute: 'plan', is: 'equals', value: 'growth' } as const
const userId = async () => (await other.call('createUser', { environment, id: uniqueName('u') })).id
const groupId = async () => (await other.call('createGroup', { environment, id: uniqueName('g') })).id
const segmentId = async () => {
  const key = uniqueName('segment')
  return (await other.call('createSegment', { environment, key, name: 'A segment', scope: 'user', condition: growing }))
    .id
}
const content = async () => {
  const { id: content_id } = await other.call('createContent', { environment, document: flow })
  return { content_id, draft: (await other.call('getContent', { environment, content_id })).draft }
}
const definitionId = async (of: 'event' | 'attribute') => {
  const name = uniqueName('name').replaceAll('-', '_')
  await server.client.post('/events', { name, user_id: 'u_1', attributes: { [name]: 1 } })
  const list = of === 'event' ? 'listEventDefinitions' : 'listAttributeDefinitions'
  const { data } = await other.call(list, { environment, q: name })
  return data[0]?.id as string
}

const tokenId = async () => String((await other.call('createToken', { environment, name: 'a token' })).id)
const keyId = async () => String((await other.call('createKey', { environment, name: 'a key' })).id)
const endpointId = async () =>
  (await other.call('createEndpoint', { environment, url: 'http://127.0.0.1:9/hook', topics: ['*'] })).id

describe('a role that is taken away after the request was admitted', () => {
  it('is tried with every write that needs a role', () => {
    const names = Object.entries(paths).filter(
      ([, { method, role }]) => method !== 'GET' && role !== 'anyone' && role !== 'viewer',
    )
    expect(Object.keys(inputs).sort()).toEqual(names.map(([name]) => name).sort())
  })

  it.each(Object.keys(inputs) as (keyof Inputs)[])('allows no %s', async (name) => {
    const browser = await memberOf(server, 'owner')
    const input = (await inputs[name]?.(browser)) as never
    const changes = async () =>
      (await server.database.query("select id from audit_entries where action <> 'session.signed_in'", [])).length
    const before = await changes()
    const answer = await takenMeanwhile(await setRole(browser, 'viewer'), () => browser.send(name, input))
    expect([answer.status, answer.code]).toEqual([403, 'role_required'])
    expect(await changes()).toBe(before)
  })

  it('leaves a user whose deletion it would have allowed, with their events', async () => {
    const browser = await memberOf(server, 'owner')
    const user_id = await userId()
    await server.client.post('/events', { name: 'kept', user_id })
    const send = () => browser.send('deleteUser', { environment, user_id })
    await takenMeanwhile(await setRole(browser, 'viewer'), send)
    expect((await server.client.get(`/users/${user_id}`)).status).toBe(200)
    expect((await server.client.get(`/events?user_id=${user_id}`)).body.data).toHaveLength(1)
  })

  it('is not given back by the member who had it', async () => {
    const browser = await memberOf(server, 'owner')
    const member_id = await idOf(browser)
    const send = () => browser.send('updateMember', { member_id, role: 'owner' })
    expect((await takenMeanwhile(await setRole(browser, 'admin'), send)).code).toBe('role_required')
    expect((await browser.call('getSession', {})).member.role).toBe('admin')
  })

  it('does not let an admin remove a member who has become an owner', async () => {
    const [admin, member] = [await memberOf(server, 'admin'), await memberOf(server, 'member')]
    const member_id = await idOf(member)
    const send = () => admin.send('removeMember', { member_id })
    expect((await takenMeanwhile(await setRole(member, 'owner'), send)).code).toBe('role_required')
    expect((await member.call('getSession', {})).member.role).toBe('owner')
  })
})

describe('a member who sends a body slowly', () => {
  /** Sends the body after the change. The request is admitted before it. */
  async function sendSlowly(browser: Browser, change: () => Promise<unknown>): Promise<number | undefined> {
    const body = JSON.stringify({ id: 'slow' })
    return await changeMeanwhile(server.services.database, {
      before: (text) => text.includes('from member_sessions'),
      change: async () => {},
      read: async () => {
        const { calls, results } = vi.mocked(server.services.database.query).mock
        const asked = () => calls.filter(([text]) => text.includes('from member_sessions')).length
        const sent = request(`${server.url}/app/api/environments/${environment}/users`, {
          method: 'POST',
          headers: {
            cookie: browser.cookie as string,
            origin: server.url,
            'content-type': 'application/json',
            'content-length': String(body.length),
          },
        })
        const answered = new Promise<number | undefined>((resolve, reject) =>
          sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject),
        )
        sent.write(body.slice(0, 3))
        await expect.poll(asked).toBeGreaterThan(0)
        await Promise.all(results.map(({ value }) => value as Promise<unknown>))
        await change()
        sent.end(body.slice(3))
        return await answered
      },
    })
  }

  it.each(['removed', 'demoted', 'signed out'])('writes nothing once %s', async (how) => {
    const browser = await memberOf(server, 'member')
    const member_id = await idOf(browser)
    const changes: Record<string, () => Promise<unknown>> = {
      removed: () => other.call('removeMember', { member_id }),
      demoted: () => other.call('updateMember', { member_id, role: 'viewer' }),
      'signed out': () => new Browser(server.url, browser.cookie).call('signOut', {}),
    }
    const status = await sendSlowly(browser, changes[how] as () => Promise<unknown>)
    expect(status).toBe(how === 'demoted' ? 403 : 401)
    expect((await server.client.get('/users/slow')).status).toBe(404)
  })
})

it('an environment keeps an origin when its last two are removed at once', async () => {
  const staging = 'staging'
  await other.call('addOrigin', { environment: staging, origin: 'https://one.example.com' })
  const { database } = server
  const held = await database.begin()
  await held.query('update control_revision set revision = revision', [])
  const removed = ['localhost', 'https://one.example.com'].map((origin) =>
    other.send('removeOrigin', { environment: staging, origin }),
  )
  const waiting = async () =>
    (
      await database.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        [],
      )
    ).length
  await expect
    .poll(waiting)
    .toBe(2)
    .finally(() => held.commit())
  expect((await Promise.all(removed)).map(({ status }) => status).sort()).toEqual([200, 409])
})
