import { useQuery } from '@tanstack/react-query'
import { useContent } from '../content/use-draft.ts'
import { percent } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import { resultsQuery } from '../results/queries.ts'
import { useEnvironment } from '../session/use-session.ts'

/** In which share of the runs of the live version a task was completed; nothing while that says nothing. */
export function DoneBy({ task }: { task: string }) {
  const { slug } = useEnvironment()
  const { detail } = useContent()
  const { data } = useQuery({ ...resultsQuery(slug, detail.id, {}), enabled: detail.published !== null })
  const done = data?.tasks.find(({ key }) => key === task)
  if (!data || !done || data.seen < LEAST_RUNS) return null
  return <span className="done-by">{percent(done.completed, data.seen)}</span>
}
