import type pg from 'pg'
import { counted } from '../../counted.ts'
import { isInUse } from '../../database/in-use.ts'
import { openSession } from '../../database/session.ts'
import { resetPublicSecrets } from '../../sdk/reset-secrets.ts'
import { openSecretBox } from '../../secrets/open-box.ts'
import { SharedSecrets } from '../../secrets/shared-secrets.ts'
import { StartupError } from '../../startup-error.ts'
import { resetSecrets } from '../../webhooks/reset-secrets.ts'
import { command, UsageError } from '../command.ts'
import { withDatabase } from '../with-database.ts'

export const secretsReset = command({
  summary: 'Make new secrets when the key of the stored ones is lost, while no server runs',
  parameters: [],
  options: {
    confirm: { type: 'boolean', description: 'receivers refuse notifications until they know their new secret' },
  },
  async run({ config, options }) {
    if (!options.confirm) throw new UsageError('Receivers refuse what new secrets sign: add --confirm.')
    const settings = config()
    return await withDatabase(settings, async (database, connection) => {
      await refuseInUse(connection)
      if (await openSecretBox(settings, database).catch(() => undefined))
        throw new StartupError('The key of the stored secrets is here: nothing has to be reset.')
      const subscriptions = await resetSecrets(database, async () => {
        return new SharedSecrets(await openSecretBox(settings, database), true)
      })
      await resetPublicSecrets(database, await openSecretBox(settings, database))
      return {
        text: subscriptions.map(({ id, url, secret }) => `${id}  ${url}  ${secret}`).join('\n'),
        json: { subscriptions },
        hint: `${counted(subscriptions.length, 'subscription')} got a new secret. Give each receiver its own. Identity secrets of pages are gone: create them again.`,
      }
    })
  },
})

async function refuseInUse(connection: pg.ClientConfig): Promise<void> {
  const client = await openSession(connection)
  try {
    if (await isInUse(client)) throw new StartupError('A server uses the database: stop every node first.')
  } finally {
    await client.end()
  }
}
