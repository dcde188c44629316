import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ALL_BEATS_MS } from '../server/sdk/streams.ts'
import { readConfig } from '../server/settings/config.ts'
import { makeCertificate } from './support/certificates.ts'
import { temporaryFolder } from './support/folder.ts'
import { isInstalled } from './support/installed.ts'

const run = promisify(execFile)
const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

interface Service {
  build?: string
  image?: string
  user?: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  environment: Record<string, string>
  ports?: string[]
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
}

/** By the YAML of Ruby's standard library. */
const compose = (name: string) => {
  const program = 'puts YAML.load(STDIN.read).to_json'
  const json = execFileSync('ruby', ['-ryaml', '-rjson', '-e', program], { input: read(name), encoding: 'utf8' })
  return JSON.parse(json) as { services: Record<string, Service>; volumes: Record<string, unknown> }
}
const dockerfile = read('Dockerfile')
const imageSettings = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs]) =>
    (pairs as string).split(' ').map((one) => one.split('=')),
  ),
) as Record<string, string>

it('the files for production that the documents name are in the repository', () => {
  const named = read('docs/operations.md').matchAll(/`(deploy\/[^`]+|Dockerfile|compose[^`]*\.yaml)`/g)
  const files = new Set([...named].map(([, file]) => file as string))
  expect([...files].sort()).toEqual([
    'Dockerfile',
    'compose.embedded.yaml',
    'compose.yaml',
    'deploy/Caddyfile',
    'deploy/monitoring/alerts.yml',
    'deploy/monitoring/grafana.json',
    'deploy/nginx.conf',
    'deploy/usher.service',
  ])
  for (const file of files) expect(read(file).length, file).toBeGreaterThan(0)
})

it('nginx waits longer for a stream than its beats are apart', () => {
  const location = read('deploy/nginx.conf').match(/location = \/sdk\/stream \{[^}]*\}/)?.[0] ?? ''
  const seconds = Number(location.match(/proxy_read_timeout (\d+)s;/)?.[1])
  expect(seconds * 1_000).toBeGreaterThan(ALL_BEATS_MS + 10_000)
})

it('node gets the same flags however the server is started, and in the benchmark', () => {
  const flags = (line: string) => line.match(/--[a-z-]+(=\d+)?/g)
  const lineOf = (file: string) => read(file).match(/^.*--max-semi-space-size.*$/m)?.[0] ?? ''
  const expected = flags(lineOf('package.json'))
  expect(expected).toHaveLength(3)
  for (const file of [
    'bin/usher.js',
    'release/bin.js',
    'Dockerfile',
    'bench/server.ts',
    'docs/decisions/030-small-heap.md',
  ])
    expect([file, flags(lineOf(file))]).toEqual([file, expected])
})

it.each(['Dockerfile', 'compose.yaml', 'compose.embedded.yaml'])(
  'the first line of %s says that it was not run',
  (name) => {
    expect(read(name).split('\n')[0]).toMatch(/^# .*no Docker engine was available/)
  },
)

it.runIf(isInstalled('ruby')).each(['compose.yaml', 'compose.embedded.yaml'])(
  '%s is valid, confined, and its settings are ones that the server takes',
  (name) => {
    const { services, volumes } = compose(name)
    const { usher } = services as { usher: Service }
    expect(usher).toMatchObject({
      build: '.',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      ports: ['127.0.0.1:8080:8080'],
    })
    const given = Object.entries(usher.environment).map(([key, value]) => [
      key,
      value.replace(/\$\{[^}]*\}/g, key === 'USHER_SECRET_KEY' ? EXAMPLE_KEY : 'x'),
    ])
    const config = readConfig({ ...imageSettings, ...Object.fromEntries(given) })
    expect([config.host, config.port, config.requireHttps]).toEqual(['0.0.0.0', 8080, 'never'])
    // What a service waits for or mounts is there.
    for (const { depends_on = {}, volumes: mounts = [] } of Object.values(services)) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        expect(services).toHaveProperty(other)
        if (condition === 'service_healthy') expect(services[other]).toHaveProperty('healthcheck')
      }
      for (const mount of mounts) expect(volumes).toHaveProperty(mount.split(':')[0] as string)
    }
  },
)

const EXAMPLE_KEY = '0'.repeat(64)

it.each([
  ['compose.yaml', 'postgres'],
  ['compose.citus.yaml', 'coordinator'],
])('%s takes any password', (name, host) => {
  const password = 'p@ss/w:rd#?%41 &'
  const [, settings = ''] = /^ {2}usher:\n(.*?)^ {2}\w/ms.exec(read(name)) ?? []
  const given = (key: string) =>
    new RegExp(`^ {6}${key}: (.*)$`, 'm').exec(settings)?.[1]?.replace(/\$\{POSTGRES_PASSWORD[^}]*\}/, () => password)
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PGPASSWORD', given('PGPASSWORD'))
  const { databaseUrl } = readConfig({ DATABASE_URL: given('DATABASE_URL') as string, USHER_SECRET_KEY: EXAMPLE_KEY })
  const client = new pg.Client({ connectionString: databaseUrl })
  expect([client.user, client.password, client.host, client.database]).toEqual(['usher', password, host, 'usher'])
})

/** The settings that a file sets, or that its comment tells to start the nodes with. */
const settingsOf = (name: string) => {
  const lines = read(name).match(/^#? *(HOST=.*|Environment=.*)$/gm) ?? []
  const pairs = lines.flatMap((line) => line.match(/[A-Z_]{4,}=[^ ]+/g) ?? [])
  return Object.fromEntries(
    pairs.map((pair) => pair.replace('KEY=…', `KEY=${EXAMPLE_KEY}`).replace('=…', '=postgres://x').split('=')),
  ) as Record<string, string>
}

it.each(readdirSync(new URL('../deploy', import.meta.url)).filter((name) => name !== 'monitoring'))(
  'webhooks cannot reach private addresses in the set-up of deploy/%s',
  (name) => {
    const settings = settingsOf(`deploy/${name}`)
    expect(settings).not.toEqual({})
    expect(readConfig(settings).webhookAllowPrivate).toBe(false)
  },
)

it('webhooks cannot reach private addresses in the image', () => {
  expect(readConfig(imageSettings).webhookAllowPrivate).toBe(false)
})

it.each([
  { USHER_TRUSTED_PROXIES: '127.0.0.1' },
  { USHER_BASE_URL: 'https://usher.example.com' },
  { USHER_REQUIRE_HTTPS: 'never', USHER_PLAIN_HTTP_NETWORKS: '10.0.0.0/8' },
  { USHER_TLS_CERT: 'cert.pem', USHER_TLS_KEY: 'key.pem' },
])('webhooks reach private addresses only where a setting says so, when others reach the server by %o', (settings) => {
  expect(readConfig({}).webhookAllowPrivate).toBe(true)
  expect(readConfig({ HOST: '127.0.0.1', ...settings }).webhookAllowPrivate).toBe(false)
  expect(readConfig({ ...settings, USHER_WEBHOOK_ALLOW_PRIVATE: 'true' }).webhookAllowPrivate).toBe(true)
})

it('the image runs unprivileged, without build tools, with a health check that says whether the server answers', async () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  expect(last).toMatch(/^USER node$/m)
  expect(last).not.toMatch(/npm |apt|COPY \. /)
  const [, words] = /HEALTHCHECK[^\n]*\\\n\s*CMD (\[.*\])/.exec(dockerfile) as unknown as [string, string]
  const [, ...check] = JSON.parse(words) as [string, ...string[]]
  const answer: RequestListener = ({ url }, response) => void response.writeHead(url === '/healthz' ? 200 : 404).end()
  const { certPem: cert, keyPem: key } = makeCertificate({ names: ['usher.example.com'] })
  for (const [server, settings] of [
    [createServer(answer), {}],
    [createTlsServer({ cert, key }, answer), { USHER_TLS_CERT: '/cert.pem' }],
  ] as const) {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const env = { PORT: String(port), ...settings }
    await expect(run(process.execPath, check, { env })).resolves.toBeDefined()
    await new Promise((resolve) => server.close(resolve))
    await expect(run(process.execPath, check, { env })).rejects.toMatchObject({ code: 1 })
  }
})

it.runIf(isInstalled('systemd-analyze'))('systemd finds nothing wrong with the unit', async () => {
  const folder = await temporaryFolder()
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  const unit = join(folder, 'usher.service')
  const text = await readFile(new URL('../deploy/usher.service', import.meta.url), 'utf8')
  // Only the package is missing at its place.
  await writeFile(unit, text.replace('/opt/usher/node_modules/.bin/usher', process.execPath))
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit])
  expect(stdout + stderr).toBe('')
})
