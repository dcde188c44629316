import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { median } from '../median.ts'
import { UsherServer } from '../server.ts'
import { KEY } from '../traffic.ts'
import type { Row } from './row.ts'

export const startRow: Row = {
  name: 'start',
  work: 'start to first answer on an old data folder, embedded PostgreSQL included',
  target: { most: 2, unit: 's' },
  measure: async (bench) => {
    const environment = { USHER_DATA_DIR: join(bench.folder, 'start'), USHER_API_KEY: KEY }
    const onNewFolder = await startSeconds(environment)
    const onOldFolder: number[] = []
    for (let turn = 0; turn < bench.options.turns; turn += 1) onOldFolder.push(await startSeconds(environment))
    return { value: median(onOldFolder), note: `on a new data folder ${onNewFolder.toFixed(2)} s` }
  },
}

/** Seconds from the start of the process to its first answer. */
async function startSeconds(environment: Record<string, string>): Promise<number> {
  const begun = performance.now()
  const server = await UsherServer.start({ environment })
  const seconds = (performance.now() - begun) / 1_000
  await server.stop()
  return seconds
}

/** The medians of starts on two databases, in turns. */
export async function compareStarts(bench: Bench, ours: string, yardstick: string) {
  const times: { ours: number; yardstick: number }[] = []
  for (let turn = 0; turn < bench.options.turns; turn += 1) {
    times.push({
      ours: await startSeconds({ DATABASE_URL: ours }),
      yardstick: await startSeconds({ DATABASE_URL: yardstick }),
    })
  }
  return { ours: median(times.map((time) => time.ours)), yardstick: median(times.map((time) => time.yardstick)) }
}
