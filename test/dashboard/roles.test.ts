import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OperationName, paths, type Role, roles } from '../../contract/dashboard/paths.ts'
import { insertEnvironment } from '../../server/accounts/environment-queries.ts'
import { insertAccount } from '../../server/accounts/queries.ts'
import { UrgentFinding } from '../../server/dashboard/system/urgent-finding.ts'
import { readConfig } from '../../server/settings/config.ts'
import { pauseDeliveries } from '../../server/webhooks/pause.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { Browser, memberOf } from '../support/dashboard.ts'
import { MARK, namesOneThing, type SampledOperation, sampleInputs } from '../support/dashboard-samples.ts'
import { uniqueName } from '../support/postgres.ts'

let server: TestServer
const browsers = {} as Record<Role, Browser>
let samples: Awaited<ReturnType<typeof sampleInputs>>
beforeAll(async () => {
  server = await startTestServer()
  for (const role of roles) browsers[role] = await memberOf(server, role)
  samples = await sampleInputs(server, browsers.owner)
})
afterAll(async () => await server.close())

/** These end the session, or have an answer without an end; they need no more than a session. */
const leftOut = ['signOut', 'changePassword', 'watchLive']
const names = Object.keys(paths).filter(
  (name) => paths[name as OperationName].role !== 'anyone' && !leftOut.includes(name),
) as SampledOperation[]

/** What reaches users at once takes more than its row says, unless the environment lets members publish. */
const reachesUsers: string[] = ['publishContent', 'unpublishContent', 'deleteContent', 'saveTheme', 'deleteTheme']
const requiredRole = (name: SampledOperation): Role => (reachesUsers.includes(name) ? 'admin' : paths[name].role)

const inputOf = async (name: SampledOperation, by = browsers.owner) => (await samples[name](by)) as never

describe.each(names)('%s', (name) => {
  const required = requiredRole(name)
  let refused: Promise<never> | undefined
  /** One for all who are refused: it names what exists until somebody is allowed to end it. */
  const refusedInput = () => {
    refused ??= inputOf(name)
    return refused
  }

  it('is refused without a session', async () => {
    const browser = new Browser(server.url)
    expect((await browser.send(name, await refusedInput())).code).toBe('not_signed_in')
    await browser.close()
  })

  it.each(roles)(`needs the role ${required}, as %s, with ids that exist`, async (role) => {
    const isAllowed = roles.indexOf(role) >= roles.indexOf(required)
    const input = isAllowed ? await inputOf(name, browsers[role]) : await refusedInput()
    const { status, code, text } = await browsers[role].send(name, input)
    if (isAllowed) expect([status, status === 200 || text]).toEqual([200, true])
    else expect([status, code, text]).toEqual([403, 'role_required', expect.stringMatching(/the role \w+/)])
  })
})

describe('the owner of another account, with ids that exist', () => {
  let stranger: Browser
  /** Without an environment of the same name. */
  let farther: Browser
  const inputs = new Map<SampledOperation, never>()
  let before: Awaited<ReturnType<typeof everything>>
  beforeAll(async () => {
    const newOwner = async (environment: string) => {
      const at = new Date().toISOString()
      const account = await insertAccount(server.database, uniqueName('account'), 'self_hosted', at)
      const accountId = (account as { id: number }).id
      await insertEnvironment(server.database, accountId, environment, at)
      return await memberOf(server, 'owner', undefined, accountId)
    }
    stranger = await newOwner('Production')
    farther = await newOwner('Elsewhere')
    for (const name of names) inputs.set(name, await inputOf(name))
    before = await everything()
  })

  /** Everything of the first account that one of these operations could change. */
  async function everything() {
    const { owner } = browsers
    const environment = 'production'
    const of = { environment }
    const [members, ...lists] = await Promise.all([
      owner.call('listMembers', {}),
      owner.call('listEnvironments', {}),
      owner.call('listKeys', of).then(({ data }) => data.map(({ id, name, revoked_at }) => [id, name, revoked_at])),
      owner.call('listEndpoints', of).then(({ data }) => data.map(({ id, url, topics }) => [id, url, topics])),
      owner.call('listContent', of).then(({ data }) => data.map(({ id, state }) => [id, state])),
      ...['/users?expand=groups', '/groups', '/events'].map(async (path) => (await server.client.get(path)).text),
    ])
    const kept = members.data.map(({ last_active_at: _, ...member }) => member)
    return [kept, members.invitations, ...lists]
  }

  // Reads first: what the stranger writes into an environment of their own is theirs to read.
  const isRead = (name: SampledOperation) => paths[name].method === 'GET'
  const [reads, writes] = [names.filter(isRead), names.filter((name) => !isRead(name))]

  it.each([...reads, ...writes])('%s shows and changes nothing', async (name) => {
    const input = inputs.get(name) as never
    if (paths[name].path.includes(':environment')) expect((await farther.send(name, input)).status).toBe(404)
    const { status, text } = await stranger.send(name, input)
    if (namesOneThing(name)) expect([404, '{"data":[],"next":null}']).toContain(status === 404 ? status : text)
    else if (isRead(name))
      expect([status, text.replaceAll(`"${MARK}"`, '')]).toEqual([200, expect.not.stringContaining(MARK)])
    // One look after all the reads: it is eight requests.
    if (isRead(name) && name !== reads.at(-1)) return
    const [known, after] = [before, await everything()]
    before = after
    expect(after).toEqual(known)
  })

  it('learns nothing of the installation', async () => {
    const { findings, ...system } = await stranger.call('getSystem', {})
    expect(system).toMatchObject({ backlog: null, disk: null, nodes: [] })
    expect(findings.map(({ check, level }) => [check, level])).toEqual([
      ['webhooks', 'good'],
      ['endpoints', 'good'],
    ])
  })

  it('learns of a pause, which concerns all, and of no failing endpoint but those of its own', async () => {
    const { owner } = browsers
    const failing = { environment: 'production', url: 'http://127.0.0.1:9/failing', topics: ['user' as const] }
    const { id } = await owner.call('createEndpoint', failing)
    await server.database.query('insert into webhook_endpoints values ($1::int, $2::uuid, 1, now(), false)', [
      server.environmentId,
      id,
    ])
    await pauseDeliveries(server.database, 'it is a copy')
    const levels = async (browser: Browser) =>
      (await browser.call('getSystem', {})).findings.map(({ check, level }) => [check, level])
    expect(await levels(owner)).toEqual([
      ['webhooks', 'warning'],
      ['endpoints', 'warning'],
    ])
    expect(await levels(stranger)).toEqual([
      ['webhooks', 'warning'],
      ['endpoints', 'good'],
    ])
    const config = readConfig({ PORT: '0', USHER_LOG_LEVEL: 'silent' })
    expect(await new UrgentFinding(config, server.database).read()).toContain('it is a copy')
  })
})
