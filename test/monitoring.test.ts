import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { startTestServer } from './support/client.ts'
import { isInstalled } from './support/installed.ts'

const read = (name: string) => readFileSync(new URL(`../deploy/monitoring/${name}`, import.meta.url), 'utf8')

/** With DATABASE_REPLICA_URL only (test/replicas.test.ts), and written by the command that makes backups. */
const ELSEWHERE = ['usher_replica_used', 'usher_replica_lag_seconds', 'usher_backup_completed_timestamp_seconds']

it.each(['grafana.json', 'alerts.yml'])('every metric in %s exists', async (name) => {
  const server = await startTestServer()
  onTestFinished(async () => await server.close())
  await server.client.post('/users', { id: 'u_1' })
  const text = await (await fetch(`${server.url}/metrics`)).text()
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, metric]) => metric))
  const asked = [...read(name).matchAll(/\b(?:usher|nodejs|process)_[a-z0-9_]+/g)].map(([metric]) =>
    metric.replace(/_bucket$/, ''),
  )
  expect(asked.length).toBeGreaterThan(5)
  for (const metric of asked) if (!ELSEWHERE.includes(metric)) expect(known).toContain(metric)
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
