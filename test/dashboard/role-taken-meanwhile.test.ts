import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Input } from '../../contract/dashboard/operations.ts'
import { type OperationName, paths } from '../../contract/dashboard/paths.ts'
import { changeBeforeTransaction, changeMeanwhile } from '../support/change-meanwhile.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { Browser, memberOf } from '../support/dashboard.ts'

let server: TestServer
let other: Browser
beforeAll(async () => {
  server = await startTestServer()
  other = await memberOf(server, 'owner')
})
afterAll(async () => await server.close())

const environment = 'production'

/** Takes the role away after the request was admitted, before its transaction begins. */
const takenMeanwhile = <T>(take: () => Promise<unknown>, send: () => Promise<T>) =>
  changeBeforeTransaction(server.services.database, take, send)

const setRole = async (browser: Browser, role: string) => {
  const { member } = await browser.call('getSession', {})
  return async () =>
    await server.database.query('update members set role = $2::text where id = $1::uuid', [member.id, role])
}

const idOf = async (browser: Browser) => (await browser.call('getSession', {})).member.id

type Inputs = { [Name in OperationName]?: () => Promise<Input<Name>> | Input<Name> }

/** Every write of admins and owners. */
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
}

const tokenId = async () => String((await other.call('createToken', { environment, name: 'a token' })).id)
const keyId = async () => String((await other.call('createKey', { environment, name: 'a key' })).id)
const endpointId = async () =>
  (await other.call('createEndpoint', { environment, url: 'http://127.0.0.1:9/hook', topics: ['*'] })).id

describe('a role that is taken away after the request was admitted', () => {
  it('is tried with every write of admins and owners', () => {
    const names = Object.entries(paths).filter(
      ([, { method, role }]) => method !== 'GET' && (role === 'admin' || role === 'owner'),
    )
    expect(Object.keys(inputs).sort()).toEqual(names.map(([name]) => name).sort())
  })

  it.each(Object.keys(inputs) as (keyof Inputs)[])('allows no %s', async (name) => {
    const browser = await memberOf(server, 'owner')
    const input = (await inputs[name]?.()) as never
    const changes = async () =>
      (await server.database.query("select id from audit_entries where action <> 'session.signed_in'", [])).length
    const before = await changes()
    const answer = await takenMeanwhile(await setRole(browser, 'viewer'), () => browser.send(name, input))
    expect([answer.status, answer.code]).toEqual([403, 'role_required'])
    expect(await changes()).toBe(before)
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
