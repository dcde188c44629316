import { useQuery } from '@tanstack/react-query'
import type { Names } from '../../contract/conditions/sentence.ts'
import { contentListQuery } from '../content/queries.ts'
import { segmentsQuery } from '../segments/queries.ts'
import { useEnvironment } from '../session/use-session.ts'

/** What sentences call the segments and the content of the environment. */
export function useNames(): Names {
  const { slug } = useEnvironment()
  const segments = useQuery(segmentsQuery(slug)).data
  const content = useQuery(contentListQuery(slug)).data
  return { segments: namesOf(segments?.data ?? []), content: namesOf(content?.data ?? []) }
}

const namesOf = (rows: readonly { key: string; name: string }[]) => new Map(rows.map(({ key, name }) => [key, name]))
