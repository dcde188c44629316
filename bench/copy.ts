import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { withClient } from './address.ts'
import { type Bench, USERS } from './bench.ts'
import { seedEvents } from './seed.ts'

/** The yardstick for bulk reads and writes: COPY of events to a file, and into a table of the same shape and indexes. */
export interface CopyYardstick {
  /** A database that holds the events. */
  filled: string
  /** Copies them into such a table once; returns the rows per second. */
  copy(): Promise<number>
  /** Copies them to a file once; returns the rows per second. */
  copyOut(): Promise<number>
}

export async function copyYardstick(bench: Bench, events: number): Promise<CopyYardstick> {
  const filled = await bench.postgres.createDatabase(await bench.template())
  bench.atEnd(() => bench.postgres.dropDatabase(filled))
  bench.progress(`filling a database with ${events} events`)
  await seedEvents(filled, events, USERS)
  const plain = join(bench.folder, 'events.copy')
  const copyOut = async () =>
    await withClient({ connectionString: filled }, (client) =>
      perSecond(events, () => pipeline(client.query(copyTo('copy events to stdout')), createWriteStream(plain))),
    )
  await copyOut()
  const copy = async () =>
    await withClient({ connectionString: filled }, async (client) => {
      await client.query('drop table if exists bare_events')
      await client.query('create table bare_events (like events including all)')
      return await perSecond(events, () =>
        pipeline(createReadStream(plain), client.query(copyFrom('copy bare_events from stdin'))),
      )
    })
  return { filled, copy, copyOut }
}

export async function perSecond(rows: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (rows * 1_000) / (performance.now() - started)
}
