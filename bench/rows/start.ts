import { join } from 'node:path'
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
    const startSeconds = async () => {
      const begun = performance.now()
      const server = await UsherServer.start({ environment })
      const seconds = (performance.now() - begun) / 1_000
      await server.stop()
      return seconds
    }
    const onNewFolder = await startSeconds()
    const onOldFolder: number[] = []
    for (let turn = 0; turn < bench.options.turns; turn += 1) onOldFolder.push(await startSeconds())
    return { value: median(onOldFolder), note: `on a new data folder ${onNewFolder.toFixed(2)} s` }
  },
}
