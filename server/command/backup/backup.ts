import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { writeBackup } from '../../backup/write.ts'
import { borrowPostgres } from '../../database/open.ts'
import { cannotWrite } from '../../files/cannot-write.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { interruption } from '../interruption.ts'
import { commandLog } from '../log.ts'
import { ProgressLine } from '../progress-line.ts'
import { countRows } from './rows.ts'

export const backup = command({
  summary: 'Write one consistent snapshot of everything to a file, while the server runs',
  parameters: ['FILE'],
  options: {
    overwrite: { type: 'boolean', description: 'put it in the place of a file of that name' },
  },
  async run({ config, parameters, options }) {
    const file = resolve(parameters[0])
    const { signal } = interruption
    if (!options.overwrite && (await stat(file).catch(() => undefined)))
      throw new StartupError(`${file} is there already: name another file, or add --overwrite.`)
    const line = new ProgressLine()
    const postgres = await borrowPostgres(config(), commandLog, { signal })
    try {
      const { rows } = await writeBackup(postgres.connection, file, {
        signal,
        overwrite: options.overwrite === true,
        onProgress: (megabytes, table) => line.show({ done: megabytes, unit: 'MB', part: undefined, note: table }),
      })
        .catch((error) => {
          throw cannotWrite(file, error)
        })
        .finally(() => line.end())
      const { size: bytes } = await stat(file)
      return {
        text: `${file} holds ${countRows(rows)}.`,
        json: { file, bytes, rows },
        hint: 'It holds personal data: keep it like the database itself, and the key of its secrets (secret.key, or USHER_SECRET_KEY) elsewhere.',
      }
    } finally {
      await postgres.stop()
    }
  },
})
