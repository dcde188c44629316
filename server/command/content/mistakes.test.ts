import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { exampleBanner } from '../../../contract/content/examples.ts'
import { startTestServer, type TestServer } from '../../../test/support/client.ts'
import { usher } from '../../../test/support/command.ts'
import { contentFolder } from '../../../test/support/content-folder.ts'
import { NODE_FLAGS, usherMain } from '../../../test/support/process.ts'
import { listedContent, strangeServer } from '../../../test/support/strange-server.ts'

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
])('a file without %s has one problem, in words', async (_, written, problem) => {
  const { code, stdout } = await run('push', await contentFolder({ 'broken.json': written }))
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

it.each([
  ['[', 'a.json: has more than 200 levels'],
  ['{"who":{"not":', 'a.json: has more than 200 levels'],
])('a file that only begins %s is a problem, and not too much', async (text, problem) => {
  const { code, stdout } = await run('diff', await contentFolder({ 'a.json': text.repeat(100_000) }))
  expect([code, stdout]).toEqual([2, `${problem}\n`])
})

it('what has no end, and what is too large, is not read', async () => {
  const folder = await contentFolder({ 'large.json': ' '.repeat(16 * 1024 * 1024 + 1) })
  await symlink('/dev/zero', join(folder, 'zero.json'))
  const { code, stdout } = await run('diff', folder)
  const problem = 'large.json: is larger than 16 MiB; move it out of the folder if it is no content'
  expect([code, stdout]).toEqual([2, `${problem}\nzero.json: is not a file\n`])
})

it.each(['diff', 'test'])(
  '%s does not read a folder that is too large, and names the largest file',
  async (command) => {
    const folder = await contentFolder({ 'banner.json': banner, 'a.test.json': '{ "expect": { "shown": [] } }' })
    // Sparse: they have sizes, and take no room.
    for (const [name, mebibytes] of Object.entries({ 'a.json': 16, 'b.json': 16, 'c.jsonc': 16, 'd.test.json': 16 })) {
      await writeFile(join(folder, name), '')
      await truncate(join(folder, name), mebibytes * 1024 * 1024)
    }
    const place = command === 'diff' ? ['--url', server.url, '--key', server.key] : []
    const { code, stderr } = await usher(['content', command, folder, ...place], {})
    expect([code, stderr]).toEqual([
      2,
      `The documents and tests in ${folder} have 65 MiB together, and may have 64 MiB. The largest is a.json with 16 MiB. Move what is no content out of the folder.\n`,
    ])
  },
)

it('a file name with a line break is not printed as it is', async () => {
  const folder = await contentFolder({ 'a\n::error::b.json': banner })
  const { code, stderr } = await run('diff', folder)
  expect([code, stderr]).toEqual([
    2,
    `The name of a file in ${folder} has a control character: a?::error::b.json. Rename it.\n`,
  ])
})

it('a file that is not read may have any name, as the picture that macOS keeps for a folder', async () => {
  const { code, stdout } = await run('diff', await contentFolder({ 'Icon\r': '', 'a.json': banner }))
  expect([code, stdout]).toEqual([1, expect.stringContaining('maintenance')])
})

it('a pull writes nothing through a link out of the folder, and keeps the rights of a file', async () => {
  await server.client.post('/content', exampleBanner)
  const outside = await contentFolder({ 'theirs.json': '{ "key": "maintenance" }' })
  const folder = await contentFolder({})
  await symlink(join(outside, 'theirs.json'), join(folder, 'mine.json'))
  expect(await run('pull', folder)).toMatchObject({
    code: 2,
    stdout: 'mine.json: is a link out of the folder, so it is not overwritten; put the file in its place first\n',
  })
  expect(await readFile(join(outside, 'theirs.json'), 'utf8')).toBe('{ "key": "maintenance" }')
  await writeFile(join(outside, 'mine.json'), '{ "key": "maintenance" }')
  await chmod(join(outside, 'mine.json'), 0o660)
  await rm(join(outside, 'theirs.json'))
  expect((await run('pull', outside)).code).toBe(0)
  expect((await stat(join(outside, 'mine.json'))).mode & 0o777).toBe(0o660)
})

it('a pull writes through a link into a folder below', async () => {
  await server.client.post('/content', exampleBanner)
  const folder = await contentFolder({})
  await mkdir(join(folder, 'shared'))
  await writeFile(join(folder, 'shared', 'theirs.json'), '{ "key": "maintenance" }')
  await symlink(join('shared', 'theirs.json'), join(folder, 'mine.json'))
  expect((await run('pull', folder)).code).toBe(0)
  expect(JSON.parse(await readFile(join(folder, 'shared', 'theirs.json'), 'utf8'))).toMatchObject(exampleBanner)
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

const redirect = (response: ServerResponse) =>
  response.writeHead(308, { location: 'https://usher.example.com/content' }).end()
const breakOff = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"data":')
  response.socket?.end()
}

const listed = (key: string, next = {}) => JSON.stringify(listedContent({ ...exampleBanner, key }, next))

/** More and more content. */
function endlessly() {
  let number = 0
  return (response: ServerResponse) => {
    const next_page_url = `http://127.0.0.1/content?starting_after=${++number}`
    const content = listedContent({ ...exampleBanner, key: `c${number}` }).data
    response.end(
      JSON.stringify({ data: Array.from({ length: 100 }, () => content).flat(), has_more: true, next_page_url }),
    )
  }
}

/** An answer without an end, until nobody reads it. */
const withoutEnd = (response: ServerResponse) => {
  const chunk = Buffer.alloc(1024 * 1024, ' ')
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', write)
  write()
}

it.each<[string, (response: ServerResponse) => void, string]>([
  ['a page', (response) => void response.end('<!doctype html>'), 'answers with something that is not of Usher: '],
  [
    'keys that are paths',
    (response) => void response.end(listed('../outside')),
    'answers with something that is not of Usher: ',
  ],
  [
    'a page of nothing',
    (response) => void response.end('{"data":[null]}'),
    'answers with something that is not of Usher: ',
  ],
  ['other JSON', (response) => void response.end('{"ok":true}'), 'answers with something that is not of Usher: '],
  ['null', (response) => void response.end('null'), 'answers with something that is not of Usher: '],
  ['a redirect', redirect, 'redirects to https://usher.example.com/content: '],
  ['half an answer', breakOff, 'cannot be reached: '],
  [
    'the same page for ever',
    (response) => void response.end(listed('a', { has_more: true, next_page_url: 'http://127.0.0.1/content?page=2' })),
    'sends the same page of its content again, so it is not read on\\. ',
  ],
  [
    'empty pages for ever',
    (response) => void response.end('{"data":[],"has_more":true,"next_page_url":"http://127.0.0.1/content?page=2"}'),
    'sends the same page of its content again, so it is not read on\\. ',
  ],
  ['pages for ever', endlessly(), 'sends more than 5,000 contents, so it is not read on\\. '],
  ['a page without an end', withoutEnd, 'sends an answer of more than 67108864 bytes, so it is not read on\\. '],
  [
    'a flow without steps',
    (response) => void response.end(JSON.stringify(listedContent({ key: 'a', type: 'flow', name: 'A' }))),
    'sends a document that this command cannot read: a: steps: is required\\. ',
  ],
  [
    'a version without a document',
    (response) => void response.end('{"data":[{"key":"a","draft_version":{"revision":"1.1"}}]}'),
    'sends a document that this command cannot read: a: must be an object\\. ',
  ],
])('an address that answers with %s is said in words, and nothing is compared', async (_, answer, message) => {
  const url = await strangeServer(answer)
  const folder = await contentFolder({ 'banner.json': banner })
  const { code, stderr } = await usher(['content', 'diff', folder, '--url', url, '--key', 'ak_1'], {})
  expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^${url} ${message}[^\n]+\n$`))])
})

it('an address with https of a server that speaks plain HTTP is said in words', async () => {
  const url = server.url.replace('http:', 'https:')
  const { code, stderr } = await usher(['content', 'pull', await contentFolder({}), '--url', url, '--key', 'ak_1'], {})
  expect([code, stderr]).toEqual([1, `${url} cannot be reached: it does not speak HTTPS.\n`])
})

it.each<[string, string[], string]>([
  ['diff', [], 'Interrupted: nothing was left behind.'],
  ['push', ['--dry-run'], 'Interrupted: nothing was left behind.'],
  ['push', [], 'Interrupted: it is not known whether the drafts are stored. Run it again: it stores nothing twice.'],
])('Ctrl-C ends %s %j while the server does not answer', async (command, more, message) => {
  const asked = Promise.withResolvers<void>()
  const waiting = createServer((request, response) => {
    const isLast = command === 'diff' || request.method === 'POST'
    if (isLast) asked.resolve()
    else response.end('{"data":[],"has_more":false}')
  }).listen(0, '127.0.0.1')
  await once(waiting, 'listening')
  onTestFinished(() => {
    waiting.closeAllConnections()
    waiting.close()
  })
  const url = `http://127.0.0.1:${(waiting.address() as AddressInfo).port}`
  const folder = await contentFolder({ 'banner.json': banner })
  const words = ['content', command, folder, '--url', url, '--key', 'ak_1', ...more]
  const child = spawn(process.execPath, [...NODE_FLAGS, await usherMain(), ...words], {
    env: { PATH: process.env.PATH },
  })
  const stderr = text(child.stderr)
  await asked.promise
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  expect([code, await stderr]).toEqual([130, `${message}\n`])
})

it.each([
  [['--url', 'usher.example.com', '--key', 'ak_1'], '--url is no address of a server'],
  [['--url', 'ftp://usher.example.com', '--key', 'ak_1'], '--url is no address of a server'],
  [['--url', 'https://ada:secret#@usher.example.com', '--key', 'ak_1'], '--url is no address of a server'],
  [['--url', '', '--key', 'ak_1'], '--url is empty'],
  [['--url', 'https://ada:secret@usher.example.com', '--key', 'ak_1'], '--url has a user or a password: write the'],
  [['--url', 'https://usher.example.com/?a=1#b', '--key', 'ak_1'], 'leave out what stands behind the ? or the #.\n'],
  [['--url', 'http://127.0.0.1:8080', '--key', ''], '--key is empty'],
  [['--url', 'http://127.0.0.1:8080', '--key', 'ak_€'], '--key is not an API key'],
  [['--environment', 'Production', '--key', 'ak_1'], '--key goes with --url'],
  [['--url', 'http://127.0.0.1:8080', '--key', 'ak_1', '--account', 'Acme'], '--account goes with --environment'],
])('%j is a wrong command line', async (words, message) => {
  const folder = await contentFolder({ 'banner.json': banner })
  const { code, stderr } = await usher(['content', 'push', folder, ...words], {})
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(stderr).not.toContain('ada')
})

it('slashes behind the address of a server are left out', async () => {
  const folder = await contentFolder({ 'banner.json': banner })
  const words = ['content', 'diff', folder, '--url', `${server.url}//`, '--key', server.key]
  expect((await usher(words, {})).stderr).toBe('')
})

it('a page that is none is refused also when no content has a target', async () => {
  const { code, stderr } = await run('check', 'nowhere')
  expect([code, stderr]).toEqual([2, expect.stringContaining('is not the address of a page')])
})
