import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OperationName, paths, type Role, roles } from '../../contract/dashboard/paths.ts'
import { insertEnvironment } from '../../server/accounts/environment-queries.ts'
import { insertAccount } from '../../server/accounts/queries.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { Browser, memberOf } from '../support/dashboard.ts'
import { uniqueName } from '../support/postgres.ts'

let server: TestServer
const browsers = {} as Record<Role, Browser>
beforeAll(async () => {
  server = await startTestServer()
  for (const role of roles) browsers[role] = await memberOf(server, role)
})
afterAll(async () => await server.close())

/** What is there, so that a missing check of a role would do something. */
let real: Record<string, string>
beforeAll(async () => {
  const { client } = server
  const owner = browsers.owner
  await client.post('/users', { id: 'only-a', attributes: { note: 'only-a' }, groups: [{ id: 'only-a' }] })
  const event = await client.post('/events', { name: 'only-a', user_id: 'only-a', attributes: { note: 'only-a' } })
  const hook = { url: 'http://127.0.0.1:9/only-a', topics: ['user'] }
  const endpoint = await owner.call('createEndpoint', { environment: 'production', ...hook })
  const { invitation } = await owner.call('createInvitation', { role: 'viewer', email: 'only-a@example.com' })
  const { data: keys } = await owner.call('listKeys', { environment: 'production' })
  real = {
    environment: 'production',
    user_id: 'only-a',
    group_id: 'only-a',
    event_id: event.body.id,
    endpoint_id: endpoint.id,
    invitation_id: invitation.id,
    key_id: String(keys[0]?.id),
    member_id: (await browsers.viewer.call('getSession', {})).member.id,
    request_id: String(event.headers['request-id']),
  }
})

/** Names nothing that exists: a caller with the role gets a 404 or the like, and nothing changes. */
const input = { environment: 'nowhere', member_id: 'x', invitation_id: 'x' } as never
/** These end the session or the test, and need no more than a session. */
const leftOut = ['signOut', 'changePassword', 'watchLive']

const closed = (Object.entries(paths) as [OperationName, (typeof paths)[OperationName]][]).filter(
  ([name, { role }]) => role !== 'anyone' && !leftOut.includes(name),
)

describe.each(closed)('%s', (name, { role: required }) => {
  it(`is refused without a session`, async () => {
    expect((await new Browser(server.url).send(name, input)).code).toBe('not_signed_in')
  })

  it.each(roles)(`needs the role ${required}, as %s`, async (role) => {
    const isAllowed = roles.indexOf(role) >= roles.indexOf(required as Role)
    const { status, code, text } = await browsers[role].send(name, isAllowed ? input : (real as never))
    if (!isAllowed) {
      expect([status, code, text]).toEqual([403, 'role_required', expect.stringContaining(`the role ${required}`)])
    } else expect([200, 400, 404]).toContain(status)
  })
})

it('the owner of another account sees and changes nothing, with ids that exist', async () => {
  const at = new Date().toISOString()
  const account = await insertAccount(server.database, uniqueName('account'), 'self_hosted', at)
  const accountId = (account as { id: number }).id
  const environmentId = await insertEnvironment(server.database, accountId, 'Production', at)
  expect(environmentId).not.toBe(server.environmentId)
  const stranger = await memberOf(server, 'owner', undefined, accountId)
  const everything = async () => {
    const { owner } = browsers
    const [members, keys, endpoints] = await Promise.all([
      owner.call('listMembers', {}),
      owner.call('listKeys', { environment: 'production' }),
      owner.call('listEndpoints', { environment: 'production' }),
    ])
    const objects = await Promise.all(['/users/only-a?expand=groups', '/events'].map((path) => server.client.get(path)))
    const kept = members.data.map(({ last_active_at: _, ...member }) => member)
    return [
      kept,
      members.invitations,
      keys.data.map(({ id, name }) => [id, name]),
      endpoints,
      objects.map(({ text }) => text),
    ]
  }
  const before = await everything()
  for (const [name] of closed) {
    // The stranger's own environment of that name is left.
    if (['deleteEnvironment', 'createUser', 'createGroup', 'trackEvent'].includes(name)) continue
    const { status, text } = await stranger.send(name, real as never)
    expect(status, `${name}: ${text}`).toBeLessThan(500)
    if (status === 200) expect(text.replaceAll('"only-a"', ''), name).not.toContain('only-a')
  }
  expect(await everything()).toEqual(before)
  expect(await stranger.call('getSystem', {})).toMatchObject({ backlog: null, disk: null, nodes: [], findings: [] })
})
