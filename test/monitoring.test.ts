import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { startTestServer } from './support/client.ts'
import { isInstalled } from './support/installed.ts'

const read = (name: string) => readFileSync(new URL(`../deploy/monitoring/${name}`, import.meta.url), 'utf8')

/** With DATABASE_REPLICA_URL only (test/replicas.test.ts), and written by the command that makes backups. */
const ELSEWHERE = ['usher_replica_used', 'usher_replica_lag_seconds', 'usher_backup_completed_timestamp_seconds']

/** With replicas, with workers (test/metrics-workers.test.ts), and on a cluster (test/cluster.test.ts) only. */
const NOT_ON_ONE_NODE = [
  ...['usher_replica_used', 'usher_replica_lag_seconds', 'usher_replica_lists_total'],
  ...['usher_processes', 'usher_cluster_worker_up'],
]

let known: Set<string>
/** Of a server that has done nothing yet. */
let fresh: string
beforeAll(async () => {
  const server = await startTestServer()
  fresh = await (await fetch(`${server.url}/metrics`)).text()
  await server.client.post('/users', { id: 'u_1' })
  const text = await (await fetch(`${server.url}/metrics`)).text()
  await server.close()
  known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, metric]) => metric as string))
})

it('docs/operations.md has a row for every metric of Usher, and no other', () => {
  const page = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')
  const cells = [...page.matchAll(/^\| (`usher_[^|]+)\|/gm)].map(([, cell]) => cell as string)
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`(usher_\w+)/g)].map(([, metric]) => metric as string))
  const own = [...known].filter((metric) => metric.startsWith('usher_'))
  const written = documented.filter((metric) => metric !== 'usher_backup_completed_timestamp_seconds')
  expect(written.toSorted()).toEqual([...new Set([...own, ...NOT_ON_ONE_NODE])].toSorted())
})

it.each(['grafana.json', 'alerts.yml'])('every metric in %s exists', (name) => {
  const asked = [...read(name).matchAll(/\b(?:usher|nodejs|process)_[a-z0-9_]+/g)].map(([metric]) =>
    metric.replace(/_bucket$/, ''),
  )
  expect(asked.length).toBeGreaterThan(5)
  for (const metric of asked) if (!ELSEWHERE.includes(metric)) expect(known).toContain(metric)
})

it('what an alert compares has a series from the start: with one that is not there no alert is raised', () => {
  const series = [...read('alerts.yml').matchAll(/\busher_\w+\{\w+="[^"]*"\}/g)].map(([one]) => one)
  expect(series.length).toBeGreaterThan(2)
  for (const one of series) expect(fresh).toContain(`\n${one} 0\n`)
})

it('an alert warns of a full disk, an unused or late replica, an expiring certificate and an old backup', async () => {
  const names = [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'UsherDiskFull',
      'UsherReplicaUnused',
      'UsherReplicaLate',
      'UsherCertificateExpires',
      'UsherBackupOld',
    ]),
  )
  const page = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')
  for (const metric of [...ELSEWHERE, 'node_filesystem_avail_bytes', 'probe_ssl_earliest_cert_expiry'])
    expect(page).toContain(metric)
})

it.runIf(isInstalled('promtool'))('Prometheus accepts the alert rules', () => {
  const rules = fileURLToPath(new URL('../deploy/monitoring/alerts.yml', import.meta.url))
  expect(execFileSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' })).toMatch(/SUCCESS: \d+ rules found/)
})
