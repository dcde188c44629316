import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './support/deliveries.ts'
import { temporaryFolder } from './support/folder.ts'
import { call, TEST_KEY, usherMain } from './support/process.ts'
import { hasTerminals, inTerminal, type Terminal } from './support/terminal.ts'

const CLOCK = String.raw`^\[\d\d:\d\d:\d\d\] INFO: `

let folder: string
let main: string
let settings: Record<string, string>
let terminal: Terminal
let server: { url: string; key: string }

const run = (words: string) => inTerminal(`${process.execPath} ${main} ${words}`, settings, folder)
const line = (pattern: string) => expect.arrayContaining([expect.stringMatching(CLOCK + pattern)])

async function addressOf(started: Terminal): Promise<string> {
  const find = () => /ready at (\S+)/.exec(started.lines().join('\n'))?.[1]
  await eventually('it is ready', () => find() !== undefined)
  return find() as string
}

describe.runIf(hasTerminals)('on a terminal', () => {
  beforeAll(async () => {
    folder = await temporaryFolder()
    main = await usherMain()
    settings = { USHER_DATA_DIR: join(folder, 'data'), PORT: '0', USHER_API_KEY: TEST_KEY }
    terminal = run('start')
    server = { url: await addressOf(terminal), key: TEST_KEY }
  })
  afterAll(async () => {
    // By Ctrl-C: `script` itself would end before the server, which still writes into its folder.
    terminal.child.stdin?.write('\x03')
    await terminal.ended
    await rm(folder, { recursive: true, force: true })
  })

  it('the banner names the dashboard, the documents, the data folder and the link of the owner', async () => {
    const { url } = server
    await expect.poll(terminal.raw).toContain('/app/set-up#')
    expect(terminal.lines()).toEqual(
      expect.arrayContaining([
        `Usher is ready at ${url}`,
        `  Dashboard  ${url}/app/`,
        `  Documents  ${url}/docs`,
        `  Data       ${settings.USHER_DATA_DIR}`,
      ]),
    )
    // A key that was given is not printed.
    expect(terminal.raw()).not.toContain(TEST_KEY)
  })

  it('a request is one line: method, path, status, ms, environment, error code and message', async () => {
    await call(server, 'POST', '/users', { id: 'ada' })
    await expect.poll(terminal.lines).toEqual(line(String.raw`POST /users 200 [\d.]+ ms environment 1$`))
    await call(server, 'GET', '/users/nobody')
    const refused = String.raw`GET /users/nobody 404 [\d.]+ ms environment 1 not_found: User with id 'nobody' not found$`
    await expect.poll(terminal.lines).toEqual(line(refused))
    // In colour: the status by its class.
    expect(terminal.raw()).toContain('\x1b[32m200\x1b[39m')
    expect(terminal.raw()).toContain('\x1b[33m404\x1b[39m')
  })

  it('a request cannot move the cursor, change colours or write additional lines', async () => {
    await call(server, 'POST', '/users', { id: 'ada', '\x1b[2J\r\nroot# \x07': 1 })
    await expect
      .poll(terminal.raw)
      .toContain(String.raw`invalid_params: \u{1b}[2J\u{d}\u{a}root# \u{7}: is not a known field`)
    expect(terminal.raw()).not.toContain('\x1b[2J')
  })

  it('a backup shows how far it is on a line that it removes, and ends with one sentence', async () => {
    const backup = run('backup everything.backup')
    await backup.ended
    expect(backup.raw()).toMatch(/\d+ MB {2}\d+\/s {2}\w+/)
    expect(backup.raw()).toContain('\r\x1b[K')
    expect(backup.lines()[0]).toMatch(/everything\.backup holds .*1 user/)
    const restore = inTerminal(
      `${process.execPath} ${main} restore everything.backup`,
      {
        ...settings,
        USHER_DATA_DIR: join(folder, 'other'),
      },
      folder,
    )
    await restore.ended
    expect(restore.raw()).toMatch(/\d+ MB .*%/)
    expect(restore.lines()[0]).toMatch(/^Restored .*1 user/)
  })

  it('Ctrl-C stops the server, which says so', async () => {
    const other = inTerminal(
      `${process.execPath} ${main} start`,
      { ...settings, USHER_DATA_DIR: join(folder, 'stopped') },
      folder,
    )
    await addressOf(other)
    other.child.stdin?.write('\x03')
    await other.ended
    expect(other.lines()).toEqual(line('stopping … active requests are finished first'))
    expect(other.child.exitCode).toBe(0)
  })
})
