import { type Finding, problem } from './finding.ts'

/** Runs one check. An error that it does not expect is its own finding, so that the other checks are still reported. */
export async function byItself(
  check: string,
  examine: () => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return [await examine()].flat()
  } catch (error) {
    const finding = `cannot be examined: ${error instanceof Error ? error.message : String(error)}`
    return [problem(check, finding, 'Put right what the message says, and run this again.')]
  }
}
