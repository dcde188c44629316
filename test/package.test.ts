import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { packServer } from '../release/pack-server.ts'
import { buildDashboard, buildScript } from './support/built.ts'
import { temporaryFolder } from './support/folder.ts'
import { call } from './support/process.ts'
import { installTarball } from './support/unpacked.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
let folder: string
let installed: string

/** The packed server, installed from its tarball into an empty folder; by npm, as the Dockerfile does it, in the long tests. */
beforeAll(async () => {
  // On the disk that the packages are probably on too, so that they are linked instead of copied.
  folder = await temporaryFolder('/var/tmp')
  // Another file may be building them anew at this moment.
  await Promise.all([buildDashboard(), buildScript()])
  // `npm test` checks the types beside the tests, which takes 4 s of CPU time.
  const tarball = packServer(folder, inject('isLong') ? [] : ['--noCheck'])
  installed = join(folder, 'opt')
  await mkdir(installed)
  const options = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund']
  if (inject('isLong')) await run('npm', ['install', '--prefix', installed, ...options, tarball], { cwd: folder })
  else await installTarball(tarball, '@usher/server', installed)
  await run('chmod', ['-R', 'a+rX', installed])
})
afterAll(async () => {
  await rm(join(root, 'release/server'), { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
})

/** An unprivileged user, where the tests are root; the embedded PostgreSQL refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

async function start(command: string, words: readonly string[]): Promise<{ url: string; key: string }> {
  const home = await temporaryFolder()
  const cwd = join(home, 'empty')
  await mkdir(cwd)
  await chmod(cwd, 0o777)
  const env = { PATH: process.env.PATH, HOME: cwd, PORT: '0' }
  const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], ...unprivileged })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    await rm(home, { recursive: true, force: true })
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  // The log is piped, so the key is in a file.
  await expect.poll(() => text).toMatch(/Usher is ready at .*first-steps\.json/s)
  const steps = await readFile(join(cwd, 'data/first-steps.json'), 'utf8')
  return { url: /ready at ([^\s"]+)/.exec(text)?.[1] as string, key: /ak_[a-z2-7]{26}/.exec(steps)?.[0] as string }
}

it('its command starts a server in an empty folder, as an unprivileged user, with dashboard and documents', async () => {
  const server = await start(join(installed, 'node_modules/.bin/usher'), ['start'])
  expect(await call(server, 'POST', '/users', { id: 'u_1', attributes: { runs: { add: 1 } } })).toMatchObject({
    status: 200,
  })
  const page = await fetch(`${server.url}/app/`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id=')])
  expect(await (await fetch(`${server.url}/demo`)).text()).toContain('What Usher sees')
  const documents = await (await fetch(`${server.url}/docs`)).text()
  for (const [, path] of documents.matchAll(/href="(\/docs[^"]*)"/g))
    expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200])
  expect(await (await fetch(`${server.url}/docs/errors`)).text()).toContain('id="rate_limited"')
})

it('runs as the image runs it, without the Node of the package', async () => {
  const command = join(installed, 'node_modules/@usher/server/bin.js')
  const server = await start(process.execPath, [
    '--max-semi-space-size=16',
    '--heap-growing-percent=100',
    '--no-allocation-site-pretenuring',
    command,
    'start',
  ])
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

it('prints the help and starts nothing without words', async () => {
  const command = join(installed, 'node_modules/@usher/server/bin.js')
  const { stdout } = await promisify(execFile)(process.execPath, [command])
  expect(stdout).toContain('Usage: npx usher COMMAND')
})

it('carries no TypeScript, no test and nothing of the tools', async () => {
  const names = await readdir(join(installed, 'node_modules/@usher/server'), { recursive: true })
  expect(names.filter((name) => /\.tsx?$|\.test\.|^(bench|test)\b|^client\/(?!README)/.test(name))).toEqual([])
  const packages = await readdir(join(installed, 'node_modules'))
  for (const tool of ['vitest', 'vite', 'react', 'typescript']) expect(packages).not.toContain(tool)
})
