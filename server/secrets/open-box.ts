import type { Database } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'
import { createKey, keyFileOf, readKey } from './key-file.ts'
import { findKeyIds, hasEarlierNode, insertKeyId, lockKeyIds } from './queries.ts'
import { SecretBox } from './secret-box.ts'
import { SharedSecrets } from './shared-secrets.ts'

/**
 * The box of this installation. The first use of a database records the id of its key there, so that a process with another key,
 * or without, says so at its start instead of failing at the first secret. It then makes no new key either. A second key is recorded
 * while the key is rotated: then each process needs both.
 */
export async function openSecretBox(config: Config, database: Database): Promise<SecretBox> {
  return await inTransaction(database, async (transaction) => {
    await lockKeyIds(transaction)
    const known = await findKeyIds(transaction)
    const isEmbedded = config.databaseUrl === undefined
    const key = (await readKey(config)) ?? (known.length === 0 && isEmbedded ? await createKey(config) : undefined)
    const box = new SecretBox(key, config.otherSecretKey)
    const missing = known.find((id) => box.keyId === undefined || !box.opens(id))
    if (missing !== undefined) throw wrongKey(config, missing, box.keyId)
    if (box.keyId !== undefined && !known.includes(box.keyId))
      await insertKeyId(transaction, box.keyId, new Date().toISOString())
    return box
  })
}

/** For a command: whether it seals is as with the servers that run. */
export async function openSharedSecrets(config: Config, database: Database): Promise<SharedSecrets> {
  const box = await openSecretBox(config, database)
  return new SharedSecrets(box, config.databaseUrl === undefined || !(await hasEarlierNode(database)))
}

function wrongKey(config: Config, known: string, own: string | undefined): StartupError {
  const found = own === undefined ? 'which is not here' : `and the key here is ${own}`
  const remedy =
    config.secretKey === undefined && config.databaseUrl === undefined
      ? `put ${keyFileOf(config)} back from where you keep it, or set USHER_SECRET_KEY to what is in it`
      : 'set USHER_SECRET_KEY to it, the same on every node, or USHER_SECRET_KEY_OTHER while the key is rotated'
  return new StartupError(
    `The secrets in the database are sealed with the key ${known}, ${found}: ${remedy}. If it is lost, npx usher secrets reset makes new secrets.`,
  )
}
