import { useQuery } from '@tanstack/react-query'
import { isEqual } from '../../contract/content/differences.ts'
import { useContent } from '../content/use-draft.ts'
import { useEnvironment } from '../session/use-session.ts'
import { type TargetResult, targetsQuery } from '../targets/queries.ts'

/** What pages tell of the target of a step, where the published version has it with these locators. Pages never get a draft. */
export function useLiveTarget(step: string | undefined, locators: readonly string[]): TargetResult | undefined {
  const { slug } = useEnvironment()
  const { detail } = useContent()
  const { data } = useQuery({ ...targetsQuery(slug, detail.id), enabled: detail.published !== null })
  const target = data?.data.find((one) => one.step === step)
  const known = target?.locators.map(({ locator }) => locator)
  return isEqual(known, [...locators]) ? target : undefined
}
