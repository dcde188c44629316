import { counted } from '../../counted.ts'
import { openSecretBox } from '../../secrets/open-box.ts'
import { rotateKey } from '../../secrets/rotate.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with-database.ts'
import { sealedColumns } from './sealed-columns.ts'

export const secretsRotate = command({
  summary: 'Seal the stored secrets with the present key, when another key has sealed them',
  parameters: [],
  options: {},
  async run({ config }) {
    const settings = config()
    return await withDatabase(settings, async (database) => {
      const box = await openSecretBox(settings, database)
      if (box.keyId === undefined) throw new StartupError('There is no key: set USHER_SECRET_KEY.')
      const { sealed, left } = await rotateKey(database, box, box.keyId, sealedColumns)
      if (left > 0)
        throw new StartupError(
          `${counted(left, 'row')} were sealed with another key meanwhile: restart every node with the new USHER_SECRET_KEY, and run this again.`,
        )
      return {
        text: `${counted(sealed, 'row')} sealed with the key ${box.keyId}; nothing is sealed with another.`,
        json: { key: box.keyId, sealed },
        hint: 'Unset USHER_SECRET_KEY_OTHER on every node. Keep the old key as long as backups from before.',
      }
    })
  },
})
