import { execFile } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import { isInstalled } from '../../test/support/installed.ts'
import { edgeRuntimes, startWorker } from './edge-runtimes.ts'
import { packedProject, trialSettings } from './packed.ts'
import type { Seen } from './support.ts'

const run = promisify(execFile)
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

let project: string
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  project = await packedProject()
})
afterAll(async () => {
  await server.close()
  await rm(project, { recursive: true, force: true })
})

const main = 'trial(client, JSON.parse(process.env.SETTINGS)).then((seen) => console.log(JSON.stringify(seen)))'
const programs = {
  'esm.mjs': `import * as client from '@usher/client'\nimport { trial } from './trial.mjs'\n${main}`,
  'commonjs.cjs': `const client = require('@usher/client')\nimport('./trial.mjs').then(({ trial }) => ${main})`,
}
const runtimes: Record<string, [string, ...string[]]> = {
  'this Node': [process.execPath],
  'the Node of the system': ['/usr/bin/node'],
  'Node 18': ['node18'],
  Deno: ['deno', 'run', '--allow-net', '--allow-env', '--allow-read'],
  Bun: ['bun'],
}

const absent = [...Object.values(runtimes).map(([program]) => program), ...Object.keys(edgeRuntimes)].filter(
  (program) => !isInstalled(program),
)
if (absent.length > 0) console.warn(`The client is not tried in ${absent.join(', ')}: not on the path.`)

/** The trial saw what it should, and the one write that was retried carried the same key twice. */
function expectSuccess(result: unknown, seen: Seen[], name: string): void {
  expect(result).toEqual({
    ...{ ids: ['a', 'b', 'c'], stored: 3, retried: name },
    ...{ missing: 'NotFoundError', late: 'TimeoutError', unreachable: 'ConnectionError' },
    ...{ aborted: 'AbortError', stopped: 'RangeError' },
    ...{ topic: 'user.created', forged: 'wrong_signature', answers: [200, 400], topics: ['user.created'] },
  })
  const [first, second, ...more] = seen.map(({ headers }) => headers['idempotency-key'])
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect([second, more]).toEqual([first, []])
}

for (const [runtime, [program, ...args]] of Object.entries(runtimes)) {
  it.runIf(isInstalled(program)).each(Object.entries(programs))(`runs as %s in ${runtime}`, async (file, code) => {
    const name = `${file} in ${runtime}`.replace(/\W/g, '_')
    const [settings, seen] = await trialSettings(server, name)
    await writeFile(join(project, file), code)
    const env = { ...process.env, SETTINGS: JSON.stringify(settings) }
    const { stdout } = await run(program, [...args, join(project, file)], { cwd: project, env })
    expectSuccess(JSON.parse(stdout), seen, name)
  })
}

for (const runtime of Object.keys(edgeRuntimes)) {
  it.runIf(isInstalled(runtime))(`runs in a bundle in ${runtime}, and receives webhooks there`, async () => {
    const url = await startWorker(runtime, project)
    const [settings, seen] = await trialSettings(server, runtime)
    const trial = await fetch(`${url}/trial`, { method: 'POST', body: JSON.stringify(settings) })
    expectSuccess(JSON.parse(await trial.text()), seen, runtime)
    const { secret, body, signature } = settings
    const post = async (header: string) =>
      await fetch(`${url}/hooks/${secret}`, { method: 'POST', body, headers: { 'service-signature': header } })
    expect((await post(signature)).status).toBe(200)
    expect((await post(`${signature}0`)).status).toBe(400)
  })
}

it.each([
  ['a module and CommonJS', ['module.mts', 'commonjs.cts'], 'nodenext'],
  ['a bundler', ['bundled.ts'], 'bundler'],
])('its types hold in a strict project, for %s', async (_, names, resolution) => {
  const files = names.map((name) => join(project, name))
  const code = `import { Usher, type User } from '@usher/client'
     const usher = new Usher<{ user: { seats: number } }>({ baseUrl: 'https://x', apiKey: 'ak' })
     export async function seats(): Promise<number | undefined> {
       const user = await usher.users.retrieve('u', { expand: 'groups' })
       const all: User<{ user: { seats: number } }, 'groups'> = user
       // @ts-expect-error: a number
       const wrong: string | undefined = all.attributes.seats
       return wrong === undefined ? all.groups.length : all.attributes.seats
     }`
  for (const file of files) await writeFile(file, code)
  const module = resolution === 'bundler' ? 'esnext' : resolution
  const checks = ['--noEmit', '--strict', '--checkers', '1']
  const options = [...checks, '--target', 'es2022', '--lib', 'es2022,dom', '--types', '']
  const { stdout } = await run(
    process.execPath,
    [tsc, ...options, '--module', module, '--moduleResolution', resolution, ...files],
    { cwd: project },
  ).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})

it('carries code, types, licence and README, and no dependency', async () => {
  const installed = join(project, 'node_modules')
  expect((await readdir(installed)).filter((name) => !name.startsWith('.'))).toEqual(['@usher'])
  expect((await readdir(join(installed, '@usher/client'))).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ])
})
