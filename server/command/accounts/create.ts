import { type PlanName, planNames } from '../../../contract/plans.ts'
import { changeControl } from '../../accounts/change.ts'
import { createAccount, FIRST_ENVIRONMENTS, type NewAccount } from '../../accounts/create.ts'
import { commandActor, record } from '../../audit/record.ts'
import type { Database } from '../../database/database.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { parseName } from '../names.ts'
import { withDatabase } from '../with-database.ts'
import { parsePlan } from './plan.ts'

const DEFAULT_PLAN: PlanName = 'self_hosted'

export const accountsCreate = command({
  summary: `Create an account with the environments ${FIRST_ENVIRONMENTS.join(' and ')}`,
  parameters: ['NAME'],
  options: {
    plan: {
      type: 'string',
      value: 'PLAN',
      description: `one of ${planNames.join(', ')}; ${DEFAULT_PLAN} when it is not given`,
    },
  },
  async run({ config, parameters: [text], options }) {
    const name = parseName(text)
    const plan = options.plan === undefined ? DEFAULT_PLAN : parsePlan(options.plan)
    const created = await withDatabase(config(), (database) => create(database, name, plan))
    if (!created) throw new StartupError(`There is an account ${name} already.`)
    return {
      text: `Created account ${name} with plan ${plan}.`,
      json: { ...created.account, environments: created.environments },
      hint: `A key for it: npx usher keys create --account ${JSON.stringify(name)} --environment ${FIRST_ENVIRONMENTS[0]}`,
    }
  },
})

/** In one transaction with its entry in the audit log. */
async function create(database: Database, name: string, plan: PlanName): Promise<NewAccount | undefined> {
  return await changeControl(database, async (transaction) => {
    const created = await createAccount(transaction, name, plan, new Date().toISOString())
    if (!created) return undefined
    const target = { id: created.account.id, name }
    await record(transaction, commandActor(target.id), { action: 'account.created', target, after: { plan } })
    return created
  })
}
