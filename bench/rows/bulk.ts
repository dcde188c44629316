import { join } from 'node:path'
import { restoreBackup } from '../../server/backup/restore.ts'
import { writeBackup } from '../../server/backup/write.ts'
import type { Bench } from '../bench.ts'
import { copyYardstick, perSecond } from '../copy.ts'
import { median } from '../median.ts'
import type { Measured, Row } from './row.ts'

const EVENTS = 200_000

export const bulkRow: Row = {
  name: 'restore',
  work: `restoring a backup, 200,000 events of it, against COPY of these events into a table of the same shape and indexes`,
  target: { least: 0.5 },
  measure,
}

async function measure(bench: Bench): Promise<Measured> {
  const { postgres, folder, options, progress } = bench
  const { filled, copy: copied } = await copyYardstick(bench, EVENTS)
  const backup = join(folder, 'backup.gz')
  const { rows } = await writeBackup({ connectionString: filled }, backup)
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)

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
