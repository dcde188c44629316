import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../session/use-session.ts'
import type { ValueSource } from './chip-part.ts'
import { valuesQuery } from './queries.ts'

type Props = { source: ValueSource; chosen: readonly string[]; onChoose: (text: string) => void }

/** Values that were seen lately, the most frequent first. */
export function Suggestions({ source, chosen, onChoose }: Props) {
  const { slug } = useEnvironment()
  const { data } = useQuery(valuesQuery(slug, source))
  if (!data || data.data.length === 0) return null
  return (
    <div className="given-list" role="group" aria-label="Seen lately">
      {data.data.map((text) => (
        <button
          key={text}
          type="button"
          className="chip add"
          aria-pressed={chosen.includes(text)}
          onClick={() => onChoose(text)}
        >
          <span className="clip" dir="auto">
            {text}
          </span>
        </button>
      ))}
    </div>
  )
}
