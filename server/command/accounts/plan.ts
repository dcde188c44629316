import { isPlanName, type PlanName, planNames } from '../../../contract/plans.ts'
import { UsageError } from '../command.ts'

export function parsePlan(text: string): PlanName {
  if (isPlanName(text)) return text
  throw new UsageError(`There is no plan "${text}": it is one of ${planNames.join(', ')}.`)
}
