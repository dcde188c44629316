import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildScript } from '../support/built.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { usher } from '../support/command.ts'
import { temporaryFolder } from '../support/folder.ts'
import { openChromium } from '../support/open-chromium.ts'
import { newWindow, watch } from './stage.ts'

type Chromium = Awaited<ReturnType<typeof openChromium>>

let server: TestServer
let chromium: Chromium
beforeAll(async () => {
  await buildScript()
  ;[server, chromium] = await Promise.all([startTestServer(), openChromium()])
})
afterAll(async () => {
  await chromium.close()
  await server.close()
})

const panel = (page: Page) => page.getByRole('complementary', { name: 'What Usher sees' })
const bold = (text: string) => text.replaceAll('**', '')

/** What a line of the guide means. Each is the beginning of a sentence with one thing in bold or in code. */
const lines: [RegExp, (page: Page, word: string) => Promise<unknown>][] = [
  [/^Open `(.+?)` of the server/, (page, path) => page.goto(server.url + path)],
  [/^You see \*\*(.+)\*\*\.?$/, (page, text) => page.getByText(bold(text)).first().waitFor()],
  [/^The panel says \*\*(.+?)\*\*\.?$/, (page, text) => panel(page).getByText(text).first().waitFor()],
  [/^Click \*\*(.+)\*\*\.$/, (page, name) => page.getByText(name, { exact: true }).click()],
  [/^Choose \*\*(.+)\*\*\.$/, (page, name) => page.getByLabel('You are').selectOption({ label: name })],
]

async function follow(page: Page, line: string): Promise<void> {
  const [pattern, act] = lines.find(([one]) => one.test(line)) ?? []
  if (!pattern || !act) throw new Error(`the guide has a line that nobody can follow: ${line}`)
  await act(page, pattern.exec(line)?.[1] as string)
}

it('the guide "Your first flow" leads to a flow on a screen, word for word', async () => {
  const guide = await readFile(new URL('../../docs/guides/first-flow.md', import.meta.url), 'utf8')
  const page = await (await newWindow(chromium)).newPage()
  const problems = watch(page)
  const folder = await temporaryFolder()
  // A file to save, a block of commands, or a line of a list: in the order of the guide.
  const steps = guide.matchAll(/^Save this as `([^`\n]+)`:\n\n```json\n(.+?)```$|^```sh\n(.+?)```$|^- ([^\n]+)$/gms)
  let [followed, ran] = [0, 0]
  const until = guide.indexOf('\n## Next')
  for (const { 1: file, 2: text, 3: commands, 4: line, index } of steps) {
    if (index > until) break
    if (file !== undefined) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text as string)
    }
    for (const command of (commands ?? '').trim().split('\n')) {
      // The first start: test/first-minute.test.ts.
      if (!command.startsWith('npx usher ')) continue
      const words = command.split(' ').slice(2)
      const given = words.map((word) => (word === 'flows' ? join(folder, word) : word))
      expect(await usher(given, { DATABASE_URL: server.databaseUrl }), command).toMatchObject({ code: 0 })
      ran += 1
    }
    if (line !== undefined) {
      await follow(page, line)
      followed += 1
    }
  }
  expect([ran, followed]).toEqual([2, 16])
  expect(problems).toEqual([])
})
