import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildScript } from '../../../test/support/built.ts'
import { findChromium } from '../../../test/support/chromium.ts'
import { startTestServer, type TestServer } from '../../../test/support/client.ts'
import { usher } from '../../../test/support/command.ts'
import { publishTest, tour } from '../../../test/support/content.ts'
import { type HostPages, startHostPages } from '../../../test/support/host-pages.ts'

let server: TestServer
let hosts: HostPages
beforeAll(async () => {
  await buildScript()
  ;[server, hosts] = await Promise.all([startTestServer(), startHostPages()])
  const tooltip = (key: string, ...locators: string[]) => ({
    ...{ key, type: 'tooltip' as const, target: { locators }, blocks: [{ heading: key }], buttons: [] },
  })
  const steps = [tooltip('share', 'testid=gone', 'role=button[name="Share"]'), tooltip('rows', 'css=li')]
  await publishTest(server.database, server.environmentId, tour('found', { steps: [steps[0]] } as never))
  await publishTest(server.database, server.environmentId, tour('checked', { steps } as never))
})
afterAll(async () => await Promise.all([server.close(), hosts.close()]))

const check = async (page: string, ...more: string[]) =>
  await usher(['content', 'check', page, '--url', server.url, '--key', server.key, ...more], {})

it('says for each step which locator finds its element and how many each finds, and ends with 1 when one finds none', async () => {
  hosts.show({
    html: '<ul><li>a</li><li>b</li></ul><script>setTimeout(() => document.body.append(Object.assign(document.createElement("button"), { textContent: "Share" })), 300)</script>',
  })
  const program = findChromium() as string
  const { code, stdout } = await check(hosts.url, '--chromium', program, '--json')
  expect(code).toBe(1)
  const share = { step: 'share', found: 'role=button[name="Share"]' }
  const locators = [
    { locator: 'testid=gone', matches: 0 },
    { locator: 'role=button[name="Share"]', matches: 1 },
  ]
  expect(JSON.parse(stdout).steps).toEqual([
    { content: 'checked', ...share, locators },
    { content: 'checked', step: 'rows', found: null, locators: [{ locator: 'css=li', matches: 2 }] },
    { content: 'found', ...share, locators },
  ])
})

it('an address that is none, and a browser that is not there, are said in words', async () => {
  expect((await check('ftp://x')).stderr).toContain('is not the address of a page')
  const { code, stderr } = await check(hosts.url, '--chromium', '/nowhere/chromium')
  expect([code, stderr]).toEqual([1, expect.stringContaining('--chromium /usr/bin/chromium')])
})
