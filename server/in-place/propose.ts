import { locatorProblem } from '../../contract/conditions/locators.ts'
import { withoutUserInfo } from '../../contract/content/page-address.ts'
import { editLimits, type OfferedLocator, type ProposeBody } from '../../contract/sdk/edit.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { errors } from '../errors.ts'
import { newId } from '../ids.ts'
import { insertProposal, takeProposal } from './proposal-queries.ts'
import type { EditRow } from './queries.ts'

/** Stores what a page proposes. Nothing of the draft changes: the member confirms it in the editor. */
export async function propose(
  database: Database,
  environmentId: EnvironmentId,
  edit: EditRow,
  { step = undefined, locators, page }: Omit<ProposeBody, 'session'>,
): Promise<string> {
  const problems = locators.flatMap(({ locator }, index) => {
    const problem = locatorProblem(locator)
    return problem === undefined ? [] : [`locators[${index}].locator: ${problem}`]
  })
  if (problems.length > 0) throw errors.invalidParams(problems)
  const id = newId()
  const row = {
    id,
    step: step ?? null,
    locators: JSON.stringify(locators.map(plain)),
    page: withoutUserInfo(page),
    created_at: now(),
  }
  await inTransaction(database, async (transaction) => {
    if (!(await takeProposal(transaction, environmentId, edit.id, editLimits.proposals)))
      throw errors.conflict(
        `A tab proposes at most ${editLimits.proposals} elements. Open the page again from the editor.`,
      )
    await insertProposal(transaction, environmentId, edit.id, row)
  })
  return id
}

const now = () => new Date().toISOString()
const plain = ({ locator, matches, stability }: OfferedLocator) => ({ locator, matches, stability })
