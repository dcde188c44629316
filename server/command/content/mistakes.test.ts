import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { exampleBanner } from '../../../contract/content/examples.ts'
import { startTestServer, type TestServer } from '../../../test/support/client.ts'
import { usher } from '../../../test/support/command.ts'
import { contentFolder } from '../../../test/support/content-folder.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const run = async (...words: string[]) =>
  await usher(['content', ...words, '--url', server.url, '--key', server.key], {})

const banner = JSON.stringify(exampleBanner)

it.each([
  ['a comma', '{\n  "key": "a"\n  "type": "banner"\n}', 'line 3: is not JSON: a comma is missing'],
  ['an end', '{ "key": "a"', 'line 1: is not JSON: } is missing'],
  ['an end of a text', '{ "key": "a', 'line 1: is not JSON: a text has no end'],
  ['quotes', '{ key: "a" }', 'line 1: is not JSON: there is a word outside of quotes'],
  ['everything', '', 'line 1: is not JSON: a value is missing'],
])('a file without %s has one problem, in words', async (_, text, problem) => {
  const { code, stdout } = await run('push', await contentFolder({ 'broken.json': text }))
  expect([code, stdout]).toEqual([2, `broken.json: ${problem}\n`])
})

it.each(['broken.json', 'broken.test.json'])(
  '%s in another encoding is a problem, and is not guessed',
  async (name) => {
    for (const bytes of [Buffer.from(`\ufeff${banner}`, 'utf16le'), Buffer.from('{ "key": "grüße" }', 'latin1')]) {
      const files = { 'banner.json': banner, 'fine.test.json': '{ "expect": { "shown": [] } }', [name]: bytes }
      const { code, stdout } = await usher(['content', 'test', await contentFolder(files)], {})
      expect([code, stdout]).toEqual([2, expect.stringContaining(`${name}: is not UTF-8; save the file as UTF-8\n`)])
    }
  },
)

it('a field that an object has twice is a problem: only one of them would count', async () => {
  const twice = banner.replace('{', '{"who":{"segment":"staff"},\n"who":{"segment":"all"},')
  const { code, stdout } = await run('diff', await contentFolder({ 'twice.json': twice }))
  expect([code, stdout]).toEqual([2, 'twice.json: line 2: has the field who twice\n'])
})

it('a test that cannot be read ends with 2, as 1 says that a test failed', async () => {
  const folder = await contentFolder({ 'banner.json': banner })
  await symlink('nowhere', join(folder, 'gone.test.json'))
  const { code, stderr } = await usher(['content', 'test', folder], {})
  expect([code, stderr]).toEqual([2, `The file ${folder}/gone.test.json cannot be read: no such file or directory.\n`])
})

it('a folder whose documents are all in folders below says that those are not read', async () => {
  const folder = await contentFolder({})
  await mkdir(join(folder, 'below'))
  await writeFile(join(folder, 'below', 'banner.json'), banner)
  const { code, stderr } = await run('push', folder)
  expect([code, stderr]).toEqual([1, `There is no document (*.json) in ${folder}. Folders below it are not read.\n`])
})

it('a pull into a folder that cannot be written says so, and one over a folder of the same name too', async () => {
  await server.client.post('/content', exampleBanner)
  const closed = process.platform === 'linux' ? '/sys' : '/System'
  const refused = await run('pull', closed)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(`^The folder ${closed} cannot be written: `),
  ])
  const folder = await contentFolder({})
  await mkdir(join(folder, `${exampleBanner.key}.json`))
  const taken = await run('pull', folder)
  expect([taken.code, taken.stdout]).toEqual([2, expect.stringContaining('so it is not overwritten; rename it first')])
})

it('an address at which something else answers is said in words', async () => {
  const other = createServer((_request, response) => void response.end('<!doctype html>')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const { code, stderr } = await usher(['content', 'pull', await contentFolder({}), '--url', url, '--key', 'ak_1'], {})
  expect([code, stderr]).toEqual([
    1,
    `${url} answers with something that is not JSON: write the address of an Usher server, without /app or /docs.\n`,
  ])
})

it.each([
  [['--url', 'usher.example.com', '--key', 'ak_1'], '--url usher.example.com is no address of a server'],
  [['--url', 'ftp://usher.example.com', '--key', 'ak_1'], '--url ftp://usher.example.com is no address of a server'],
  [['--url', '', '--key', 'ak_1'], '--url is empty'],
  [['--url', 'http://127.0.0.1:8080', '--key', ''], '--key is empty'],
  [['--url', 'http://127.0.0.1:8080', '--key', 'ak_€'], '--key is not an API key'],
  [['--environment', 'Production', '--key', 'ak_1'], '--key goes with --url'],
  [['--url', 'http://127.0.0.1:8080', '--key', 'ak_1', '--account', 'Acme'], '--account goes with --environment'],
])('%j is a wrong command line', async (words, message) => {
  const folder = await contentFolder({ 'banner.json': banner })
  const { code, stderr } = await usher(['content', 'push', folder, ...words], {})
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

it('a page that is none is refused also when no content has a target', async () => {
  const { code, stderr } = await run('check', 'nowhere')
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not the address of a page')])
})
