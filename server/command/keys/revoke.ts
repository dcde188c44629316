import { changeControl } from '../../accounts/change.ts'
import { listKeys, revokeKey, shownKey } from '../../accounts/key-queries.ts'
import { commandActor, record } from '../../audit/record.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with-database.ts'
import { findKey } from './shown.ts'

export const keysRevoke = command({
  summary: 'Revoke an API key, by its id or as "keys list" shows it; it stops within a second',
  parameters: ['KEY'],
  options: {},
  async run({ config, parameters: [text] }) {
    return await withDatabase(config(), async (database) => {
      const key = findKey(await listKeys(database), text)
      const at = new Date().toISOString()
      const changed = await changeControl(database, async (transaction) => {
        const revoked = await revokeKey(transaction, key.id, at)
        const entry = { target: { id: key.id, name: key.name }, environment: key.environment_slug }
        if (revoked) await record(transaction, commandActor(key.account_id), { action: 'key.revoked', ...entry })
        return revoked
      })
      const name = `Key ${key.id} (${shownKey(key)}) of ${key.environment_name}`
      return {
        text: changed ? `${name} is revoked.` : `${name} was revoked before.`,
        json: { ...key, revoked_at: changed ? at : key.revoked_at },
      }
    })
  },
})
