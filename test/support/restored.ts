import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { restoreBackup } from '../../server/backup/restore.ts'
import { writeBackup } from '../../server/backup/write.ts'
import type { TestServer } from './client.ts'
import { createTestDatabase } from './database.ts'
import { temporaryFolder } from './folder.ts'
import { Client } from './requests.ts'
import { startService } from './service.ts'

/** A backup of a server as it is now, restored into another database, with a service there that has the same keys. */
export async function restoreElsewhere({ connection, key }: Pick<TestServer, 'connection' | 'key'>) {
  const folder = await temporaryFolder()
  const file = join(folder, 'backup')
  await writeBackup(connection, file)
  const target = await createTestDatabase()
  // A restore needs a database without a server.
  await target.database.close()
  await restoreBackup(target.connection, file, false)
  await rm(folder, { recursive: true, force: true })
  const { services, url, close } = await startService(target)
  const client = new Client(url, key)
  return {
    client,
    services,
    url,
    connection: target.connection,
    close: async () => {
      await client.close()
      await services.remover.stop()
      await close()
      await target.close()
    },
  }
}
