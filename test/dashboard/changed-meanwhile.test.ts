import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeInside } from '../support/change-meanwhile.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { countLockWaits } from '../support/lock-waits.ts'

/** Of two requests, the second comes between what the first has read and what it writes. */

let server: TestServer
let owner: Browser
beforeAll(async () => {
  server = await startTestServer()
  owner = await memberOf(server, 'owner')
})
afterAll(async () => await server.close())

const idOf = async (browser: Browser) => (await browser.call('getSession', {})).member.id

it('a link for a new password and an invitation that are made at the same time do not wait for each other', async () => {
  const member_id = await idOf(await memberOf(server, 'viewer'))
  let invited: ReturnType<typeof owner.send<'createInvitation'>> | undefined
  const linked = await changeInside(
    server.database,
    (text) => text.includes('insert into member_links'),
    async () => {
      invited = owner.send('createInvitation', { role: 'viewer' })
      await expect.poll(() => countLockWaits(server.database)).toBe(1)
    },
    () => owner.send('createPasswordLink', { member_id }),
  )
  expect([linked.status, (await invited)?.status]).toEqual([200, 200])
})
