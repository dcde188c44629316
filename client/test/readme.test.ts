import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { newSecret, signPayload } from '../../contract/signature.ts'
import { startTestServer } from '../../test/support/client.ts'
import { problemsOf, snippetFolder, snippetsOf, withClient } from '../../test/support/snippets.ts'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const snippets = snippetsOf(readme).filter(({ language }) => language === 'ts')
/** Those without a name are one program, in the order of the page. */
const story = snippets.flatMap(({ name, code }) => (name === undefined ? [code] : [])).join('\n')
const programs = Object.fromEntries(snippets.flatMap(({ name, code }) => (name ? [[name, code] as const] : [])))

it('every example of the README has the right types', async () => {
  const files = Object.entries(programs).map(([name, code]) => [`${name}.ts`, code] as const)
  expect(files).toHaveLength(4)
  expect(await problemsOf({ 'story.ts': story, ...Object.fromEntries(files) })).toBe('')
})

it('the examples run one after the other against a server', async () => {
  const server = await startTestServer()
  onTestFinished(async () => await server.close())
  const file = join(await snippetFolder(), 'story.ts')
  await writeFile(file, story)
  const env = { PATH: process.env.PATH, USHER_URL: server.url, USHER_API_KEY: server.key }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...withClient, file], { env })
  expect(stderr).toBe('')
  expect(stdout.split('\n')).toEqual([
    'Analytical Engines',
    '1 false',
    'u_1',
    'subscription_activated',
    'undefined',
    '',
  ])
})

/** Sends a genuine notification and a forged one. */
async function tryWebhook(url: string, secret: string): Promise<number[]> {
  const body = '{"id":"n_1","topic":"user.created","data":{"object":{}}}'
  const genuine = signPayload(secret, Math.floor(Date.now() / 1000), body)
  const post = async (header: string) => {
    const headers = { 'content-type': 'application/json', 'service-signature': header }
    return (await fetch(`${url}/hooks/usher`, { method: 'POST', headers, body })).status
  }
  return [await post(genuine), await post(genuine.replace(/.$/, (last) => (last === '0' ? '1' : '0')))]
}

it.each(['express', 'fastify'])('the %s example receives webhooks', async (name) => {
  const secret = newSecret()
  const port = await freePort()
  const file = join(await snippetFolder(), `${name}.ts`)
  await writeFile(file, programs[name] as string)
  const env = { PATH: process.env.PATH, PORT: String(port), USHER_WEBHOOK_SECRET: secret }
  const child = spawn(process.execPath, [...withClient, file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'exit')
  })
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(url).then(
        () => 'up',
        () => 'down',
      ),
    )
    .toBe('up')
  const printed = once(child.stdout, 'data')
  expect(await tryWebhook(url, secret)).toEqual([200, 400])
  expect(String(await printed)).toBe('user.created\n')
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

it.each(['hono', 'next'])('the %s example receives webhooks', async (name) => {
  const secret = newSecret()
  const folder = await snippetFolder()
  await writeFile(join(folder, `${name}.ts`), programs[name] as string)
  // Both answer a Request with a Response: Hono by its app, a route of Next by what it exports. next.test.ts builds an
  // application with the route where Next is installed.
  const handler = name === 'hono' ? '(request) => module.default.fetch(request)' : 'module.POST'
  await writeFile(
    join(folder, 'main.ts'),
    `import * as module from './${name}.ts'
     const handle = ${handler}
     const send = (signature: string) => handle(new Request('http://x/hooks/usher', { method: 'POST', body: process.env.BODY, headers: { 'service-signature': signature } }))
     for (const signature of JSON.parse(process.env.SIGNATURES ?? '')) console.log((await send(signature)).status)`,
  )
  const body = '{"id":"n_1","topic":"user.created","data":{"object":{}}}'
  const signature = signPayload(secret, Math.floor(Date.now() / 1000), body)
  const env = {
    ...{ PATH: process.env.PATH, USHER_WEBHOOK_SECRET: secret, BODY: body },
    SIGNATURES: JSON.stringify([signature, 't=1,v1=0']),
  }
  const { stdout } = await promisify(execFile)(process.execPath, [...withClient, join(folder, 'main.ts')], { env })
  expect(stdout).toBe('user.created\n200\n400\n')
})
