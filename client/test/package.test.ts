import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import { isInstalled } from '../../test/support/installed.ts'
import { installTarball } from '../../test/support/unpacked.ts'

const run = promisify(execFile)
const client = fileURLToPath(new URL('..', import.meta.url))
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

let project: string
let server: TestServer
/** The packed client, installed from its tarball into an empty project; by npm in the long tests. */
beforeAll(async () => {
  server = await startTestServer()
  project = await mkdtemp(join(tmpdir(), 'usher-client-'))
  await run('npm', ['pack', '--pack-destination', project], { cwd: client })
  const [tarball] = await readdir(project)
  await writeFile(join(project, 'package.json'), '{ "name": "empty", "private": true }')
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`]
  if (inject('isLong')) await run('npm', install, { cwd: project })
  else await installTarball(join(project, tarball as string), '@usher/client', project)
}, 120_000)
afterAll(async () => {
  await server.close()
  await rm(project, { recursive: true, force: true })
})

const body = `
  const usher = new Usher({ baseUrl: process.env.USHER_URL, apiKey: process.env.USHER_API_KEY })
  const main = async () => {
    const { id } = await usher.users.upsert({ id: 'packed', attributes: { runs: { add: 1 } } })
    const ids = []
    for await (const user of usher.users.list({ limit: 1 })) ids.push(user.id)
    const refused = await verifyWebhook('{}', 't=1,v1=' + '0'.repeat(64), 'whsec_x').catch((error) => error.reason)
    const missing = await usher.users.retrieve('nobody').catch((error) => error.code)
    const aborted = await usher.users.retrieve(id, { signal: AbortSignal.abort() }).catch((error) => error.name)
    const events = usher.events.buffer()
    events.track({ name: 'ran', user_id: id })
    await events.close()
    console.log(id, ids.length > 0, refused, missing, aborted)
  }
  main()
`
const programs = {
  'esm.mjs': `import { Usher, verifyWebhook } from '@usher/client'\n${body}`,
  'commonjs.cjs': `const { Usher, verifyWebhook } = require('@usher/client')\n${body}`,
}
const runtimes = {
  'this Node': [process.execPath],
  'the Node of the system': ['/usr/bin/node'],
  'Node 18': ['node18'],
  Deno: ['deno', 'run', '--allow-net', '--allow-env', '--allow-read'],
  Bun: ['bun'],
}

const absent = Object.keys(runtimes).filter(
  (name) => !isInstalled(runtimes[name as keyof typeof runtimes][0] as string),
)
if (absent.length > 0) console.warn(`The client is not tried in ${absent.join(', ')}: not on the path.`)

for (const [runtime, [program, ...args]] of Object.entries(runtimes)) {
  it.runIf(isInstalled(program as string)).each(Object.entries(programs))(
    `runs as %s in ${runtime}`,
    async (name, code) => {
      await writeFile(join(project, name), code)
      const env = { ...process.env, USHER_URL: server.url, USHER_API_KEY: server.key }
      const { stdout } = await run(program as string, [...args, join(project, name)], { cwd: project, env })
      expect(stdout.trim()).toBe('packed true expired_signature not_found AbortError')
    },
  )
}

it.each([
  ['a module', 'module.mts', 'nodenext'],
  ['CommonJS', 'commonjs.cts', 'nodenext'],
  ['a bundler', 'bundled.ts', 'bundler'],
])('its types hold in a strict project, for %s', async (_, file, resolution) => {
  await writeFile(
    join(project, file),
    `import { Usher, type User } from '@usher/client'
     const usher = new Usher<{ user: { seats: number } }>({ baseUrl: 'https://x', apiKey: 'ak' })
     export async function seats(): Promise<number | undefined> {
       const user = await usher.users.retrieve('u', { expand: 'groups' })
       const all: User<{ user: { seats: number } }, 'groups'> = user
       // @ts-expect-error: a number
       const wrong: string | undefined = all.attributes.seats
       return wrong === undefined ? all.groups.length : all.attributes.seats
     }`,
  )
  const module = resolution === 'bundler' ? 'esnext' : resolution
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '']
  const { stdout } = await run(
    process.execPath,
    [tsc, ...options, '--module', module, '--moduleResolution', resolution, join(project, file)],
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
