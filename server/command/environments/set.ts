import { type EnvironmentRow, listEnvironments } from '../../accounts/environment-queries.ts'
import { commandActor, record } from '../../audit/record.ts'
import { counted } from '../../counted.ts'
import type { Database } from '../../database/database.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { setKeptDays } from '../../housekeeping/event-retention.ts'
import { StartupError } from '../../startup-error.ts'
import { command, UsageError } from '../command.ts'
import { listNames } from '../names.ts'
import { withDatabase } from '../with-database.ts'
import { accountOption, findEnvironment } from './find.ts'

const MOST_DAYS = 36_500

export const environmentsSet = command({
  summary: 'Set for how long the events of an environment are kept',
  parameters: [],
  options: {
    'keep-events': {
      type: 'string',
      value: 'DAYS',
      description: 'days after which an event is deleted, counted from when it was stored (365d), or forever',
      required: true,
    },
    environment: { type: 'string', value: 'NAME', description: 'the environment; needed when there are several' },
    account: accountOption,
  },
  async run({ config, options }) {
    const days = parseDays(options['keep-events'])
    return await withDatabase(config(), async (database) => {
      const environment = await chosen(database, options.environment, options.account)
      await inTransaction(database, async (transaction) => {
        await setKeptDays(transaction, environment.id, days)
        await record(transaction, commandActor(environment.account_id), {
          action: 'environment.changed',
          target: { id: environment.id, name: environment.name },
          environment: environment.slug,
          after: { keep_events_days: days },
        })
      })
      const kept = days === null ? 'forever' : `for ${counted(days, 'day')} after they were stored`
      return {
        text: `Events of ${environment.name} in account ${environment.account_name} are kept ${kept}.`,
        json: { id: environment.id, name: environment.name, keep_events_days: days },
        ...(days !== null && { hint: 'Older events are deleted step by step by the running server.' }),
      }
    })
  },
})

/** Null keeps events forever. */
function parseDays(text: string): number | null {
  if (text === 'forever') return null
  const days = /^[1-9]\d{0,4}d$/.test(text) ? Number.parseInt(text, 10) : Number.NaN
  if (days <= MOST_DAYS) return days
  throw new UsageError(`--keep-events ${text} is no number of days: write 365d (1d to ${MOST_DAYS}d), or forever.`)
}

async function chosen(
  database: Database,
  name: string | undefined,
  account: string | undefined,
): Promise<EnvironmentRow> {
  if (name !== undefined) return await findEnvironment(database, name, account)
  const all = await listEnvironments(database)
  const [only, ...others] = all.filter((row) => account === undefined || row.account_name === account)
  if (only && others.length === 0) return only
  if (!only) throw new StartupError('There is no environment yet: npm start makes the first ones.')
  throw new StartupError(
    `There are several environments: say which with --environment (${listNames([only, ...others])}).`,
  )
}
