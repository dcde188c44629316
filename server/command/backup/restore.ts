import { access, constants } from 'node:fs/promises'
import { resolve } from 'node:path'
import { restoreBackup } from '../../backup/restore.ts'
import { borrowPostgres } from '../../database/open.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { interruption } from '../interruption.ts'
import { commandLog } from '../log.ts'
import { ProgressLine } from '../progress-line.ts'
import { countRows } from './rows.ts'

export const restore = command({
  summary: 'Restore a backup, completely or not at all, while no server runs',
  parameters: ['FILE'],
  options: {
    replace: { type: 'boolean', description: 'remove everything that the database holds now' },
    deliver: { type: 'boolean', description: 'send webhooks from it: it takes the place of the original' },
  },
  async run({ config, parameters, options }) {
    const file = resolve(parameters[0])
    const { signal } = interruption
    const line = new ProgressLine()
    await access(file, constants.R_OK).catch(() => {
      throw new StartupError(`There is no file ${file} that can be read.`)
    })
    const postgres = await borrowPostgres(config(), commandLog, { create: true, signal })
    try {
      const { rows } = await restoreBackup(postgres.connection, file, options.replace === true, {
        signal,
        deliver: options.deliver === true,
        onProgress: (megabytes, part) => line.show({ done: megabytes, unit: 'MB', part }),
      }).finally(() => line.end())
      const deliveries = options.deliver ? '' : ' It sends no webhooks until "npx usher webhooks resume".'
      return {
        text: `Restored ${countRows(rows)}. The API keys of the backup are valid again.${deliveries}`,
        json: { file, rows, deliver: options.deliver === true },
      }
    } finally {
      await postgres.stop()
    }
  },
})
