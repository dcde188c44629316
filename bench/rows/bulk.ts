import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { restoreBackup } from '../../server/backup/restore.ts'
import { writeBackup } from '../../server/backup/write.ts'
import { withClient } from '../address.ts'
import { type Bench, USERS } from '../bench.ts'
import { median } from '../median.ts'
import { seedEvents } from '../seed.ts'
import type { Measured, Row } from './row.ts'

const EVENTS = 200_000

/** The one thing that Usher does in bulk. */
export const bulkRow: Row = {
  name: 'restore',
  work: `restoring a backup, 200,000 events of it, against COPY of these events into a table of the same shape and indexes`,
  target: { least: 0.5 },
  measure,
}

async function measure(bench: Bench): Promise<Measured> {
  const { postgres, folder, options, progress } = bench
  const filled = await postgres.createDatabase(await bench.template())
  bench.atEnd(() => postgres.dropDatabase(filled))
  progress(`filling a database with ${EVENTS} events`)
  await seedEvents(filled, EVENTS, USERS)
  const backup = join(folder, 'backup.gz')
  const { rows } = await writeBackup({ connectionString: filled }, backup)
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const plain = join(folder, 'events.copy')
  await withClient({ connectionString: filled }, async (client) => {
    await pipeline(client.query(copyTo('copy events to stdout')), createWriteStream(plain))
  })

  const copied = () =>
    withClient({ connectionString: filled }, async (client) => {
      await client.query('drop table if exists bare_events')
      await client.query('create table bare_events (like events including all)')
      return await perSecond(EVENTS, () =>
        pipeline(createReadStream(plain), client.query(copyFrom('copy bare_events from stdin'))),
      )
    })
  const restored = async () => {
    const database = await postgres.createDatabase()
    const rate = await perSecond(total, () => restoreBackup({ connectionString: database }, backup, true))
    await postgres.dropDatabase(database)
    return rate
  }
  const turns: { restored: number; copied: number }[] = []
  for (let turn = 0; turn < options.turns; turn += 1) {
    progress(`turn ${turn + 1} of ${options.turns}`)
    turns.push({ restored: await restored(), copied: await copied() })
  }
  const shown = (side: 'restored' | 'copied') =>
    Math.round(median(turns.map((turn) => turn[side]))).toLocaleString('en')
  return {
    value: median(turns.map((turn) => turn.restored / turn.copied)),
    note: `${shown('restored')} rows a second, users, groups and memberships among them, against ${shown('copied')}`,
  }
}

async function perSecond(rows: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (rows * 1_000) / (performance.now() - started)
}
