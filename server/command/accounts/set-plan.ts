import { changeControl } from '../../accounts/change.ts'
import { listAccounts, updatePlan } from '../../accounts/queries.ts'
import { commandActor, record } from '../../audit/record.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { listNames } from '../names.ts'
import { withDatabase } from '../with-database.ts'
import { parsePlan } from './plan.ts'

export const accountsSetPlan = command({
  summary: 'Change the plan of an account; running servers follow within a second',
  parameters: ['NAME', 'PLAN'],
  options: {},
  async run({ config, parameters: [name, planText] }) {
    const plan = parsePlan(planText)
    const account = await withDatabase(config(), (database) =>
      changeControl(database, async (transaction) => {
        const changed = await updatePlan(transaction, name, plan)
        if (changed) {
          const entry = { target: { id: changed.id, name }, after: { plan } }
          await record(transaction, commandActor(changed.id), { action: 'account.plan_changed', ...entry })
          return changed
        }
        throw new StartupError(
          `There is no account ${name}; there are: ${listNames(await listAccounts(database)) || 'none'}.`,
        )
      }),
    )
    return { text: `Account ${name} has plan ${plan} now.`, json: account }
  },
})
