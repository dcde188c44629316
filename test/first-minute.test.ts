import { execFile } from 'node:child_process'
import { link, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { keepFirstSteps } from '../server/process/first-steps-file.ts'
import { usher, usherJson } from './support/command.ts'
import { temporaryFolder } from './support/folder.ts'
import { startNode } from './support/node.ts'
import { call, type ServerProcess, spawnServer } from './support/process.ts'

let base: string
let settings: { USHER_DATA_DIR: string }
let servers: ServerProcess[]

beforeEach(async () => {
  base = await temporaryFolder()
  settings = { USHER_DATA_DIR: join(base, 'a folder with spaces', 'data') }
  servers = []
})

afterEach(async () => {
  for (const server of servers) await server.end()
  await rm(base, { recursive: true, force: true })
})

async function start(more: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await spawnServer({ ...settings, ...more })
  servers.push(server)
  return server
}

it('the first start leaves a key and a curl line that works when pasted in a file that only its user reads, and none in a piped log; the second keeps the data', async () => {
  const first = await start({ USHER_API_KEY: '' })
  await expect.poll(first.output).toMatch(/"msg":"The link that sets up the owner [^"]* is in the file"}\n/)
  const file = join(settings.USHER_DATA_DIR, 'first-steps.json')
  expect(first.output()).toContain(`"file":"${file}"`)
  expect(first.output()).not.toMatch(/ak_|set-up#/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { api_key: key, command: line, set_up_link: link } = JSON.parse(await readFile(file, 'utf8'))
  expect(link).toContain('/app/set-up#')
  expect(line).toContain(key)
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line])
  expect(JSON.parse(stdout)).toMatchObject({ object: 'user', id: 'u_1', attributes: { name: 'Ada' } })
  expect(await first.end()).toBe(0)

  const second = await start({ USHER_API_KEY: '' })
  expect(await call({ url: second.url, key }, 'GET', '/users/u_1')).toMatchObject({
    status: 200,
    body: { attributes: { name: 'Ada' } },
  })
  expect(second.output()).not.toContain('ak_')
  await expect.poll(second.output).toContain('The dashboard has no owner yet.')
  expect(second.output()).not.toContain('The link that sets up the owner')
  expect(second.output()).not.toMatch(/listening|Deprecation|Warning/i)
})

it('what the first start leaves is replaced as a whole, and what was in it stays', async () => {
  const dataDir = join(base, 'data')
  const file = keepFirstSteps({ dataDir }, { api_key: 'ak_1' }) as string
  await link(file, join(base, 'before'))
  keepFirstSteps({ dataDir }, { set_up_link: 'link' })
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ api_key: 'ak_1', set_up_link: 'link' })
  expect(JSON.parse(await readFile(join(base, 'before'), 'utf8'))).toEqual({ api_key: 'ak_1' })
  expect([await readdir(dataDir), (await stat(file)).mode & 0o777]).toEqual([['first-steps.json'], 0o600])
  expect(keepFirstSteps({ dataDir: '/dev/null/none' }, { api_key: 'ak_1' })).toBeUndefined()
})

it('starts after kill -9, and no acknowledged write is missing', async () => {
  const first = await start()
  const acknowledged: string[] = []
  const write = async (writer: number) => {
    for (let count = 0; ; count++) {
      const id = `u_${writer}_${count}`
      const { status } = await call(first, 'POST', '/users', { id })
      if (status === 200) acknowledged.push(id)
    }
  }
  const writers = Array.from({ length: 8 }, (_, writer) => write(writer).catch(() => undefined))
  await expect.poll(() => acknowledged.length).toBeGreaterThan(100)
  await first.end('SIGKILL')
  await Promise.all(writers)

  const second = await startNode(settings)
  onTestFinished(() => second.end())
  const answers = await Promise.all(acknowledged.map((id) => call(second, 'GET', `/users/${id}`)))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
})

it('commands make no database in a new folder, work with the server stopped and leave nothing running, and work beside it: a revoked key stops within a second', async () => {
  const refused = await usher(['keys', 'list'], settings)
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(settings.USHER_DATA_DIR) })
  await expect(stat(settings.USHER_DATA_DIR)).rejects.toThrow('ENOENT')

  await (await startNode(settings)).end()
  const environments = await usherJson<{ name: string }[]>(['environments', 'list'], settings)
  expect(environments.map(({ name }) => name)).toEqual(['Production', 'Staging'])
  const { key } = await usherJson<{ key: string }>(['keys', 'create', '--environment', 'Staging'], settings)
  const pidFile = join(settings.USHER_DATA_DIR, 'postgres/cluster/postmaster.pid')
  await expect(stat(pidFile)).rejects.toThrow('ENOENT')
  const server = await start()
  expect(await call({ url: server.url, key }, 'GET', '/users')).toMatchObject({ status: 200 })

  // The server has chosen its port, which the settings of the command do not name.
  expect((await usher(['members', 'link'], settings)).stdout).toContain(`${server.url}/app/set-up#`)

  const created = await usher(['keys', 'create', '--environment', 'Staging'], settings)
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ak_[a-z2-7]{26}\n$/) })
  const revoked = created.stdout.trim()
  const staging = { url: server.url, key: revoked }
  expect(await call(staging, 'GET', '/users')).toMatchObject({ status: 200, body: { data: [] } })

  const shown = `${revoked.slice(0, 6)}…${revoked.slice(-4)}`
  expect((await usher(['keys', 'list'], settings)).stdout).toContain(shown)
  expect(await usher(['keys', 'revoke', shown], settings)).toMatchObject({ code: 0, stderr: '' })
  await sleep(1_000)
  expect((await call(staging, 'GET', '/users')).status).toBe(401)
  expect(await call(server, 'GET', '/users')).toMatchObject({ status: 200 })
  expect(await usher(['doctor'], settings)).toMatchObject({ code: 0, stderr: '' })
})
