import type { DocumentProblem } from '../../contract/content/check.ts'
import { errors } from '../errors.ts'

/** Throws every problem of a document at once. */
export function refuse(problems: readonly DocumentProblem[]): void {
  if (problems.length > 0) throw errors.invalidParams(problems.map(paramOf))
}

/** A problem as the API names it. */
export const paramOf = ({ path, message }: DocumentProblem) => ({ param: path, message })
