import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeBackup } from '../../server/backup/write.ts'
import { deleteOldEvents } from '../../server/housekeeping/event-retention.ts'
import { setKeptDays } from '../../server/housekeeping/kept-days.ts'
import { type Bench, type Site, USERS } from '../bench.ts'
import { compare } from '../compare.ts'
import { fillEvents, fillUsers, readUsers } from '../fill.ts'
import { median } from '../median.ts'
import { ENVIRONMENT, seed, withDatabase } from '../seed.ts'
import { GROUPS, type Traffic, userId } from '../traffic.ts'
import { EVENT, EXISTING_USER, NEW_USER } from './requests.ts'
import type { Measured, Row } from './row.ts'
import { compareStarts } from './start.ts'

/**
 * The rows that compare a large database with a small one of 10,000 users, on the same server. `--users` and
 * `--events-per-user` set the size of both. As many users as the small one has, spread over all, have three memberships.
 */

const DELETES = 200
const RETENTION_MS = 5_000

const LIST: Traffic = { method: 'GET', path: '/users?limit=100&starting_after=user_{n}', users: USERS }
const TIMELINE: Traffic = { method: 'GET', path: '/events?user_id=user_{n}&limit=50', users: USERS }
const DEFINITIONS: Traffic = { method: 'GET', path: '/attribute_definitions?limit=100&number={n}', users: USERS }

export const manyRows: Row[] = [
  requests('many-insert', 'POST /users, new users', NEW_USER),
  requests('many-upsert', 'POST /users, existing user, 4 attributes', EXISTING_USER),
  requests('many-events', 'POST /events', EVENT),
  requests('many-list', 'GET /users?limit=100, every client another page', LIST),
  requests('many-timeline', 'GET /events?user_id=…, the events of one user', TIMELINE),
  requests('many-definitions', 'GET /attribute_definitions', DEFINITIONS),
  row('many-deletes', 'median of lone DELETE /users/:id', { most: 1.5 }, deletes),
  row('many-retention', 'old events deleted a second', { least: 0.8 }, retention),
  row('many-start', 'start to first answer', { most: 1.5 }, start),
  row('many-backup', 'rows of a backup a second', { least: 0.8 }, backup),
]

type Measure = (bench: Bench, large: string, small: string) => Promise<Measured>

function row(name: string, work: string, target: Row['target'], measure: Measure): Row {
  return {
    name,
    work: `${work}: many users against 10,000`,
    target,
    full: true,
    measure: async (bench) => {
      const large = await filled(bench, bench.options.users)
      return await measure(bench, large, await filled(bench, USERS))
    },
  }
}

/** With as many users to choose from as the database has. */
function requests(name: string, work: string, traffic: Traffic): Row {
  return row(name, work, { least: 0.8 }, async (bench, large, small) => {
    const side = ({ server, database }: Site, users: number) => ({
      port: server.port,
      pid: server.pid,
      database,
      traffic: traffic.users === 'new' ? traffic : { ...traffic, users },
    })
    const [ours, yardstick] = [await bench.siteOn(large), await bench.siteOn(small)]
    const comparison = await compare(bench, side(ours, bench.options.users), side(yardstick, USERS), { timed: true })
    return { value: comparison.ratio, comparison }
  })
}

const databases = new Map<number, Promise<string>>()

/** Made once for all rows of a run; it is dropped with the others at its end. */
function filled(bench: Bench, users: number): Promise<string> {
  const known = databases.get(users) ?? fill(bench, users)
  databases.set(users, known)
  return known
}

async function fill(bench: Bench, users: number): Promise<string> {
  const events = users * bench.options.eventsPerUser
  const [seeded, step] = [Math.min(users, USERS), Math.max(1, Math.floor(users / USERS))]
  const database = await bench.postgres.createDatabase()
  bench.progress(`filling a database with ${users.toLocaleString('en')} users`)
  await seed(database, seeded, GROUPS, step)
  if (users > seeded) await fillUsers(database, seeded, step, users)
  bench.progress(`storing ${events.toLocaleString('en')} events`)
  await fillEvents(database, events, users)
  await readUsers(database)
  return database
}

/** In turns. Each deletes another user, spread over all of them. */
async function deletes(bench: Bench, large: string, small: string): Promise<Measured> {
  const sites = [await bench.siteOn(large), await bench.siteOn(small)] as const
  const counts = [bench.options.users, USERS] as const
  const times: [number[], number[]] = [[], []]
  for (let number = 0; number < DELETES; number += 1) {
    for (const index of [0, 1] as const) {
      const id = userId(Math.floor((number * counts[index]) / DELETES))
      const begun = performance.now()
      const response = await sites[index].server.call('DELETE', `/users/${id}`)
      times[index].push(performance.now() - begun)
      if (response.status !== 200) throw new Error(`DELETE answered ${response.status}: ${await response.text()}`)
    }
  }
  return ratioOf(median(times[0]), median(times[1]), 'ms')
}

/** The seeded events are from 2025. */
async function retention(_: Bench, large: string, small: string): Promise<Measured> {
  const rate = (url: string) =>
    withDatabase(url, async (database) => {
      await setKeptDays(database, ENVIRONMENT, 'keep_events_days', 1)
      const begun = performance.now()
      const deleted = await deleteOldEvents(database, { now: Date.now(), roundMs: RETENTION_MS })
      await setKeptDays(database, ENVIRONMENT, 'keep_events_days', null)
      return (deleted * 1_000) / (performance.now() - begun)
    })
  return ratioOf(await rate(large), await rate(small), '/s')
}

async function start(bench: Bench, large: string, small: string): Promise<Measured> {
  const { ours, yardstick } = await compareStarts(bench, large, small)
  return ratioOf(ours, yardstick, 's')
}

async function backup(bench: Bench, large: string, small: string): Promise<Measured> {
  const file = join(bench.folder, 'many.backup')
  const rate = async (database: string) => {
    const begun = performance.now()
    const { rows } = await writeBackup({ connectionString: database }, file)
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    await rm(file)
    return (total * 1_000) / (performance.now() - begun)
  }
  return ratioOf(await rate(large), await rate(small), 'rows/s')
}

function ratioOf(ours: number, yardstick: number, unit: string): Measured {
  const shown = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 })
  return { value: ours / yardstick, note: `${shown(ours)} ${unit} against ${shown(yardstick)} ${unit}` }
}
