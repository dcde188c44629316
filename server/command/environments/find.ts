import { DEMO } from '../../accounts/demo-name.ts'
import { type EnvironmentRow, listEnvironments } from '../../accounts/environment-queries.ts'
import type { Database } from '../../database/database.ts'
import { StartupError } from '../../startup-error.ts'
import { listNames } from '../names.ts'

/** For every command that names an environment. */
export const accountOption = {
  type: 'string',
  value: 'NAME',
  description: 'its account; needed when several have that environment',
} as const

/** The environment of that name. The account has to be named only when several have such an environment. */
export async function findEnvironment(
  database: Database,
  name: string,
  account: string | undefined,
): Promise<EnvironmentRow> {
  const [found, ...others] = await environmentsNamed(database, name, account)
  if (others.length === 0) return found
  const accounts = [found, ...others].map((row) => row.account_name).join(', ')
  throw new StartupError(`Several accounts have an environment ${name}: say which with --account (${accounts}).`)
}

/** The environments of that name, of one account or of all. At least one. */
export async function environmentsNamed(
  database: Database,
  name: string,
  account?: string,
): Promise<[EnvironmentRow, ...EnvironmentRow[]]> {
  const inAccount = await environmentsOf(database, account)
  const [found, ...others] = inAccount.filter((row) => row.name === name)
  if (!found)
    throw new StartupError(
      `There is no environment ${name}; there are: ${listNames(unique(inAccount))}.${hintOf(name, inAccount)}`,
    )
  return [found, ...others]
}

/** The environments of an account, or of all. At least one. */
export async function environmentsOf(
  database: Database,
  account?: string,
): Promise<[EnvironmentRow, ...EnvironmentRow[]]> {
  const all = await listEnvironments(database)
  if (all.length === 0) throw new StartupError('There is no environment yet: npm start makes the first ones.')
  const [first, ...others] = all.filter((row) => account === undefined || row.account_name === account)
  if (!first) throw new StartupError(`There is no account ${account} with environments.`)
  return [first, ...others]
}

/** The guides name it before it is there. */
function hintOf(name: string, present: readonly EnvironmentRow[]): string {
  if (name.toLowerCase() !== DEMO.toLowerCase() || present.some((row) => row.name === DEMO)) return ''
  return ' Open /demo of the server in a browser: the page makes it.'
}

function unique(rows: readonly EnvironmentRow[]): { name: string }[] {
  return [...new Set(rows.map(({ name }) => name))].map((name) => ({ name }))
}
