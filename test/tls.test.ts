import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { Agent, type RequestOptions, request } from 'node:https'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Certificate, makeAuthority, makeCertificate } from './support/certificates.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { startNode, type TestNode } from './support/node.ts'
import { call, type ServerProcess, spawnServer } from './support/process.ts'
import { exchangeRaw } from './support/raw.ts'

const authority = makeAuthority()
let folder: string
let test: TestDatabase
let settings: Record<string, string>
let server: TestNode | ServerProcess | undefined

beforeAll(async () => {
  folder = await temporaryFolder()
  test = await createTestDatabase()
  settings = {
    DATABASE_URL: test.url,
    USHER_TLS_CERT: join(folder, 'cert.pem'),
    USHER_TLS_KEY: join(folder, 'key.pem'),
  }
})
afterEach(async () => {
  await server?.end()
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true })
})

async function install({ certPem, keyPem }: Certificate): Promise<void> {
  await Promise.all([writeFile(join(folder, 'cert.pem'), certPem), writeFile(join(folder, 'key.pem'), keyPem)])
}

const certificateFor = (name: string) =>
  makeCertificate({ names: [name, 'localhost'], ips: ['127.0.0.1'], issuer: authority })

/** Asks over HTTPS, believing the authority alone; tells the status, and whose certificate it saw. */
async function ask(
  address: URL,
  options: RequestOptions = {},
): Promise<{ status: number; subject: string; socket: TLSSocket }> {
  const headers = { authorization: `Bearer ${server?.key}` }
  const sent = request(address, { ca: authority.certPem, agent: new Agent(), headers, ...options }).end()
  const [response] = await once(sent, 'response')
  response.resume()
  const socket = response.socket as TLSSocket
  const subject = socket.getPeerCertificate().subject.CN as string
  await once(response, 'end')
  return { status: response.statusCode, subject, socket }
}

it.each(['1', '2'])(
  'SIGHUP brings a new certificate to new connections, drops none, and a broken one changes nothing (USHER_WORKERS=%s)',
  async (workers) => {
    await install(certificateFor('old.example'))
    const started = await spawnServer({ ...settings, USHER_WORKERS: workers })
    server = started
    const address = new URL('/users', server.url)
    expect(address.protocol).toBe('https:')
    const kept = new Agent({ keepAlive: true, maxSockets: 1 })
    const before = await ask(address, { agent: kept })
    expect(before).toMatchObject({ status: 200, subject: 'old.example' })

    await install(certificateFor('new.example'))
    started.child.kill('SIGHUP')
    const subjects = async () => (await Promise.all([1, 2, 3, 4].map(() => ask(address)))).map(({ subject }) => subject)
    await expect.poll(subjects).toEqual(Array(4).fill('new.example'))
    const after = await ask(address, { agent: kept })
    expect(after).toMatchObject({ status: 200, subject: 'old.example' })
    expect(after.socket).toBe(before.socket)

    await install({ certPem: 'not a certificate', keyPem: 'not a key' })
    started.child.kill('SIGHUP')
    await expect.poll(() => started.output()).toContain('the old one stays')
    expect(await subjects()).toEqual(Array(4).fill('new.example'))
    await install({ certPem: certificateFor('a.example').certPem, keyPem: certificateFor('b.example').keyPem })
    started.child.kill('SIGHUP')
    await expect.poll(() => started.output().match(/the old one stays/g)?.length).toBeGreaterThan(Number(workers))
    expect(await subjects()).toEqual(Array(4).fill('new.example'))
    kept.destroy()
  },
)

it('plain HTTP on the HTTPS port gets an error in the envelope; health checks answer; the server keeps running', async () => {
  await install(certificateFor('only.example'))
  server = await startNode(settings)
  const address = new URL('/users', server.url)
  const port = Number(address.port)
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`
  for (const path of ['/users', '/nothing', '/docs', '/metrics']) {
    const { status, body } = await exchangeRaw(port, `${head(path)}Authorization: Bearer ${server.key}\r\n\r\n`)
    expect([path, status, body.error.code]).toEqual([path, 400, 'https_required'])
    expect(await ask(new URL(body.error.doc_url))).toMatchObject({ status: 200 })
  }
  for (const path of ['/healthz', '/readyz'])
    expect(await exchangeRaw(port, `${head(path)}\r\n`)).toMatchObject({ status: 200 })
  for (const garbage of ['nonsense\r\n\r\n', '\u0000\u0001', `${head('/users')}Bad Header: x\r\n\r\n`])
    expect((await exchangeRaw(port, garbage)).body.error.code).toBe('invalid_params')
  const body = `POST /users HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n${'x'.repeat(5_000_000)}`
  expect((await exchangeRaw(port, body)).body.error.code).toBe('https_required')
  // Half a TLS record, and nothing at all: neither may hold up others.
  const waiting = [Buffer.from([0x16, 3]), Buffer.alloc(0)].map((bytes) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(bytes)
    return socket
  })
  expect(await ask(address)).toMatchObject({ status: 200 })
  for (const socket of waiting) socket.destroy()
})

const outward = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address

it.runIf(outward !== undefined)(
  'behind a trusted proxy alone, a host open to the network serves that proxy and refuses plain strangers',
  async () => {
    server = await startNode({ DATABASE_URL: test.url, HOST: '0.0.0.0', USHER_TRUSTED_PROXIES: '127.0.0.1' })
    const { port } = new URL(server.url)
    const asked = async (host: string, marks: Record<string, string>) => {
      const headers = { authorization: `Bearer ${server?.key}`, ...marks }
      const response = await fetch(`http://${host}:${port}/users`, { headers })
      const body = (await response.json()) as { error?: { code: string }; url?: string }
      return [response.status, body.error?.code ?? new URL(body.url as string).origin]
    }
    const marked = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example' }
    expect(await asked('127.0.0.1', marked)).toEqual([200, 'https://api.example'])
    expect(await asked('127.0.0.1', { 'x-forwarded-proto': 'http' })).toEqual([400, 'https_required'])
    // The same headers from an address that is not trusted are ignored.
    expect(await asked(outward as string, marked)).toEqual([400, 'https_required'])
    expect(await asked(outward as string, {})).toEqual([400, 'https_required'])
    const metrics = await fetch(`http://${outward}:${port}/metrics`)
    expect(metrics.status).toBe(400)
    expect(await call({ url: `http://${outward}:${port}`, key: '' }, 'GET', '/healthz')).toMatchObject({ status: 200 })
  },
)

it.runIf(outward !== undefined)(
  'with a certificate a host open to the network serves everybody, and keeps the metrics to itself',
  async () => {
    await install(makeCertificate({ names: ['localhost'], ips: ['127.0.0.1', outward as string], issuer: authority }))
    server = await startNode({ ...settings, HOST: '0.0.0.0', USHER_METRICS_TOKEN: 'open-sesame' })
    const { port } = new URL(server.url)
    const status = async (path: string, headers: Record<string, string> = {}) =>
      (await ask(new URL(path, `https://${outward}:${port}`), { headers })).status
    expect(await status('/users', { authorization: `Bearer ${server.key}` })).toBe(200)
    expect(await status('/metrics')).toBe(401)
    expect(await status('/metrics', { authorization: `Bearer ${server.key}` })).toBe(401)
    expect(await status('/metrics', { authorization: 'Bearer open-sesame' })).toBe(200)
  },
)
