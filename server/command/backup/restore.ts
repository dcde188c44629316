import { resolve } from 'node:path'
import { restoreBackup } from '../../backup/restore.ts'
import { borrowPostgres } from '../../database/open.ts'
import { command } from '../command.ts'
import { commandLog } from '../log.ts'
import { countRows } from './rows.ts'

export const restore = command({
  summary: 'Put back what a backup holds, all of it or nothing, while no server runs',
  parameters: ['FILE'],
  options: {
    replace: { type: 'boolean', description: 'remove everything that the database holds now' },
  },
  async run({ config, parameters, options }) {
    const file = resolve(parameters[0])
    const postgres = await borrowPostgres(config(), commandLog)
    try {
      const { rows } = await restoreBackup(postgres.connection, file, options.replace === true)
      return { text: `Restored ${countRows(rows)}. The keys of then open it again.`, json: { file, rows } }
    } finally {
      await postgres.stop()
    }
  },
})
