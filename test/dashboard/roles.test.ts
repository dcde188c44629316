import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OperationName, paths, type Role, roles } from '../../contract/dashboard/paths.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { Browser, memberOf } from '../support/dashboard.ts'

let server: TestServer
const browsers = {} as Record<Role, Browser>
beforeAll(async () => {
  server = await startTestServer()
  for (const role of roles) browsers[role] = await memberOf(server, role)
})
afterAll(async () => await server.close())

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
    const { status, code, text } = await browsers[role].send(name, input)
    if (roles.indexOf(role) < roles.indexOf(required as Role)) {
      expect([status, code, text]).toEqual([403, 'role_required', expect.stringContaining(`the role ${required}`)])
    } else expect([200, 400, 404]).toContain(status)
  })
})
