import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { usherJson } from '../../test/support/command.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { BenchPostgres } from '../postgres.ts'
import { seed, seedEnvironments, withDatabase } from '../seed.ts'
import { UsherServer } from '../server.ts'
import { GROUPS } from '../traffic.ts'

const PUBLISHED = 20
const USERS_OF_QUIET = 30

export interface BrowserSite {
  server: UsherServer
  postgres: BenchPostgres
  token: string
  /** As autovacuum does it within minutes: until then the plans of tables that were empty read all of their rows. */
  analyze(): Promise<void>
  close(): Promise<void>
}

/** One node with the embedded PostgreSQL: users for the browsers, quiet environments, and published content. */
export async function openSite(browsers: number, quiet: number): Promise<BrowserSite> {
  const folder = await temporaryFolder()
  const postgres = await BenchPostgres.embedded(join(folder, 'postgres'))
  const database = await postgres.createDatabase()
  await seed(database, browsers, GROUPS)
  if (quiet > 0) await seedEnvironments(database, quiet, USERS_OF_QUIET)
  const environment = { DATABASE_URL: database, USHER_TRUSTED_PROXIES: '127.0.0.1' }
  const server = await UsherServer.start({ environment })
  for (let number = 0; number < PUBLISHED; number += 1) await publish(server, number)
  const words = ['tokens', 'create', '--environment', 'Production']
  const { token } = await usherJson<{ token: string }>(words, { DATABASE_URL: database, USHER_LOG_LEVEL: 'silent' })
  return {
    server,
    postgres,
    token,
    analyze: () => withDatabase(database, async (db) => void (await db.query('vacuum (analyze)', []))),
    close: async () => {
      await server.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The first one is for everybody, again and again; the others ask for attributes and events. */
async function publish(server: UsherServer, number: number): Promise<void> {
  const step = (key: string, action: object) => ({
    key,
    type: 'dialog',
    blocks: [{ heading: 'Hello {{ user.name | there }}' }],
    buttons: [{ label: 'Go on', do: [action] }],
  })
  const plan = { attribute: 'plan', is: 'equals', value: 'growth' }
  const who = number < 5 ? { all: [plan, { not: { event: `done_${number}` } }] } : plan
  const document = {
    key: `tour-${number}`,
    type: 'flow',
    name: `Tour ${number}`,
    when: { frequency: 'always' },
    steps: [step('hello', { next: true }), step('more', { end: 'completed' })],
    ...(number > 0 && { who }),
  }
  const saved = await server.call('POST', '/content', document)
  const { id } = (await saved.json()) as { id?: string }
  const published = await server.call('POST', `/content/${id}/publish`, {})
  if (published.status !== 200) throw new Error(`publishing answered ${published.status}: ${await published.text()}`)
}
