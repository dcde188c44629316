import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { makeAuthority, makeCertificate } from './support/certificates.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { freePort } from './support/free-port.ts'
import { isInstalled } from './support/installed.ts'
import { type ServerProcess, spawnServer } from './support/process.ts'
import { Client } from './support/requests.ts'

const read = (name: string) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8')
const authority = makeAuthority()
let database: TestDatabase
let folder: string
/** Both are behind every proxy. */
let ports: number[]
let nodes: ServerProcess[]
beforeAll(async () => {
  database = await createTestDatabase()
  ports = [await freePort(), await freePort()]
  nodes = [await node(ports[0] as number), await node(ports[1] as number)]
  folder = await temporaryFolder()
  const { certPem, keyPem } = makeCertificate({ names: ['localhost'], ips: ['127.0.0.1'], issuer: authority })
  await writeFile(join(folder, 'cert.pem'), certPem)
  await writeFile(join(folder, 'key.pem'), keyPem)
})
afterAll(async () => {
  for (const one of nodes) await one.end()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const node = (port: number) =>
  spawnServer({ DATABASE_URL: database.url, PORT: String(port), USHER_TRUSTED_PROXIES: '127.0.0.1' })

/** The files of deploy/, with the ports and the certificate of this test. */
const proxies: Record<string, (port: number, nodes: number[]) => Promise<ChildProcess>> = {
  nginx: async (port, nodes) => {
    const site = read('nginx.conf')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('8081 max_fails', `${nodes[0]} max_fails`)
      .replace('8082 max_fails', `${nodes[1]} max_fails`)
      .replace('/etc/ssl/usher/fullchain.pem', join(folder, 'cert.pem'))
      .replace('/etc/ssl/usher/privkey.pem', join(folder, 'key.pem'))
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    const main = `${user} pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1; events { worker_connections 512; } http { access_log off; ${paths.join(' ')} ${site} }`
    await writeFile(join(folder, 'nginx.conf'), main)
    return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], { stdio: 'inherit' })
  },
  caddy: async (port, nodes) => {
    const site = read('Caddyfile')
      .replace(
        'usher.example.com {',
        `https://localhost:${port}, https://127.0.0.1:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
      )
      .replace('127.0.0.1:8081 127.0.0.1:8082', `127.0.0.1:${nodes[0]} 127.0.0.1:${nodes[1]}`)
    await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
    const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    return spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
      stdio: 'ignore',
      env,
    })
  },
}

/** Between two requests of a client: some are under way whenever a node stops. */
const PAUSE_MS = 60

type Send = (isWrite: boolean, mark: string) => Promise<void>

/** Each request is sent once, and must succeed. */
function once200(client: Client): Send {
  return async (isWrite, mark) => {
    const event = { name: 'tick', user_id: mark }
    const { status } = await (isWrite ? client.post('/events', event) : client.get('/users'))
    if (status !== 200) throw new Error(`answered ${status}`)
  }
}

/** A proxy in front of both nodes, and a client of it. */
async function openProxy(name: string): Promise<{ url: string; client: Client }> {
  const port = await freePort()
  const proxy = await (proxies[name] as (typeof proxies)[string])(port, ports)
  const url = `https://127.0.0.1:${port}`
  const client = new Client(url, nodes[0]?.key as string, authority.certPem)
  onTestFinished(async () => {
    await client.close()
    proxy.kill()
    if (proxy.exitCode === null) await once(proxy, 'exit')
  })
  const answers = () =>
    client.get('/users').then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(answers).toBe(200)
  return { url, client }
}

/** Clients of one proxy, until they are stopped. */
function startClients(name: string, send: Send) {
  const load = { name, done: 0, failures: [] as string[], stop: async () => {} }
  let running = true
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    while (running) {
      const mark = `${name}-${writer}-${load.done}`
      await send(writer % 2 === 0, mark).catch((error: Error) => void load.failures.push(error.message))
      load.done += 1
      await sleep(PAUSE_MS)
    }
  })
  load.stop = async () => {
    running = false
    await Promise.all(writers)
  }
  return load
}

/** All proxies at the same time: a restart of a node takes more than a second of CPU time. */
const here = Object.keys(proxies).filter(isInstalled)

it.runIf(here.length > 0)(
  `behind each of ${here.join(' and ')}, both nodes are restarted one after the other under load, and no request fails`,
  async () => {
    const loads: ReturnType<typeof startClients>[] = []
    for (const name of here) {
      const { url, client } = await openProxy(name)
      const listed = await client.get('/users?limit=5')
      expect(listed.body.url).toBe(`${url}/users?limit=5`)
      // Answered by the proxy itself.
      await expect(client.get('/metrics')).rejects.toThrow('no Request-Id')
      loads.push(startClients(name, once200(client)))
    }
    const progress = async () => {
      const goals = loads.map(({ done }) => done + 50)
      const isReached = () => loads.every(({ done }, index) => done > (goals[index] as number))
      await expect.poll(isReached).toBe(true)
    }
    for (const index of [0, 1]) {
      await progress()
      expect(await nodes[index]?.end()).toBe(0)
      await progress()
      nodes[index] = await node(ports[index] as number)
    }
    await progress()
    for (const load of loads) await load.stop()
    expect(loads.map(({ name, failures }) => [name, failures])).toEqual(here.map((name) => [name, []]))
  },
)
