import type { Actor } from '../../audit/record.ts'
import { commandActor } from '../../audit/record.ts'
import type { Database } from '../../database/database.ts'
import type { Config } from '../../settings/config.ts'
import { withDatabase } from '../with-database.ts'
import { accountOption, findEnvironment } from './find.ts'

/** For commands about one environment, which has to be named. */
export const inEnvironmentOptions = {
  environment: { type: 'string', value: 'NAME', description: 'the environment', required: true },
  account: accountOption,
} as const

interface Chosen {
  database: Database
  environment: Awaited<ReturnType<typeof findEnvironment>>
  actor: Actor
}

/** Runs a command on the environment that its options name. */
export async function inEnvironment<T>(
  config: Config,
  options: { environment: string; account: string | undefined },
  work: (chosen: Chosen) => Promise<T>,
): Promise<T> {
  return await withDatabase(config, async (database) => {
    const environment = await findEnvironment(database, options.environment, options.account)
    return await work({ database, environment, actor: commandActor(environment.account_id) })
  })
}
