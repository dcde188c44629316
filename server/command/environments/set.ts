import { type EnvironmentRow, lockPresentEnvironment } from '../../accounts/environment-queries.ts'
import { commandActor, record } from '../../audit/record.ts'
import { lockGuidance } from '../../content/guidance-queries.ts'
import { counted } from '../../counted.ts'
import type { Database } from '../../database/database.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { setKeptDays } from '../../housekeeping/kept-days.ts'
import { raiseRevision } from '../../segments/queries.ts'
import { StartupError } from '../../startup-error.ts'
import { command, UsageError } from '../command.ts'
import { listNames } from '../names.ts'
import { withDatabase } from '../with-database.ts'
import { affectedBy, listAffected } from './affected.ts'
import { accountOption, environmentsOf, findEnvironment } from './find.ts'

const MOST_DAYS = 36_500

/** What can be kept for some days: the column of the environment, and how a sentence names it. */
const KEPT = {
  'keep-events': { column: 'keep_events_days', subject: 'Events', since: 'stored' },
  'keep-sessions': { column: 'keep_sessions_days', subject: 'Content sessions', since: 'over' },
} as const

type Kept = keyof typeof KEPT

export const environmentsSet = command({
  summary: 'Set for how long the events and content sessions of an environment are kept',
  parameters: [],
  options: {
    'keep-events': {
      type: 'string',
      value: 'DAYS',
      description: 'days after which an event is deleted, counted from when it was stored (365d), or forever',
    },
    'keep-sessions': {
      type: 'string',
      value: 'DAYS',
      description:
        'days after which a content session is deleted, with its answers, counted from its end (365d), or forever; what was seen, and results by day, stay',
    },
    environment: { type: 'string', value: 'NAME', description: 'the environment; needed when there are several' },
    account: accountOption,
    confirm: { type: 'boolean', description: 'also when content and segments look back further' },
  },
  async run({ config, options }) {
    const wanted = (Object.keys(KEPT) as Kept[]).flatMap((name) => {
      const text = options[name]
      return text === undefined ? [] : [{ ...KEPT[name], days: parseDays(name, text) }]
    })
    if (wanted.length === 0) throw new UsageError('Say what to set: --keep-events or --keep-sessions.')
    return await withDatabase(config(), async (database) => {
      const environment = await chosen(database, options.environment, options.account)
      const events = wanted.find(({ column }) => column === 'keep_events_days')
      const after = Object.fromEntries(wanted.map(({ column, days }) => [column, days]))
      const refused = await inTransaction(database, async (transaction) => {
        // No other content or segment comes to look back until the commit.
        if (events) await lockGuidance(transaction, environment.id)
        await lockPresentEnvironment(transaction, environment.id, environment.name)
        const affected = await affectedBy(transaction, environment.id, events?.days)
        if (affected.length > 0 && !options.confirm) return listAffected(affected, events?.days as number)
        for (const { column, days } of wanted) await setKeptDays(transaction, environment.id, column, days)
        await record(transaction, commandActor(environment.account_id), {
          action: 'environment.changed',
          target: { id: environment.id, name: environment.name },
          environment: environment.slug,
          after,
        })
        // Conditions mean something else from now on: every node compiles them again.
        if (events) await raiseRevision(transaction, environment.id)
        return undefined
      })
      if (refused) return refused
      const of = `of ${environment.name} in account ${environment.account_name}`
      const sentence = ({ subject, since, days }: (typeof wanted)[number]) =>
        `${subject} ${of} are kept ${days === null ? 'forever' : `for ${counted(days, 'day')} after they were ${since}`}.`
      return {
        text: wanted.map(sentence).join('\n'),
        json: { id: environment.id, name: environment.name, ...after },
        ...(wanted.some(({ days }) => days !== null) && {
          hint: 'What is older is deleted step by step by the running server.',
        }),
      }
    })
  },
})

/** Null keeps them forever. */
function parseDays(name: Kept, text: string): number | null {
  if (text === 'forever') return null
  const days = /^[1-9]\d{0,4}d$/.test(text) ? Number.parseInt(text, 10) : Number.NaN
  if (days <= MOST_DAYS) return days
  throw new UsageError(`--${name} ${text} is no number of days: write 365d (1d to ${MOST_DAYS}d), or forever.`)
}

async function chosen(
  database: Database,
  name: string | undefined,
  account: string | undefined,
): Promise<EnvironmentRow> {
  if (name !== undefined) return await findEnvironment(database, name, account)
  const [only, ...others] = await environmentsOf(database, account)
  if (others.length === 0) return only
  throw new StartupError(
    `There are several environments: say which with --environment (${listNames([only, ...others])}).`,
  )
}
