import { Icon } from '../parts/icon.tsx'
import { AddFilter } from './add-filter.tsx'
import { type Filter, formatFilter, needsValue, OPERATORS, shownValue } from './filters.ts'

type Props = { filters: Filter[]; known: { name: string; type: string }[]; onChange: (filters: Filter[]) => void }

export function FilterChips({ filters, known, onChange }: Props) {
  return (
    <div className="chips">
      {filters.map((filter) => (
        <span key={formatFilter(filter)} className="chip">
          <span className="mono" dir="auto">
            {filter.attribute}
          </span>
          <span>{OPERATORS[filter.operator]}</span>
          {needsValue(filter.operator) && <b dir="auto">{shownValue(filter)}</b>}
          <button
            type="button"
            aria-label={`Remove the filter on ${filter.attribute}`}
            onClick={() => onChange(filters.filter((other) => other !== filter))}
          >
            <Icon name="x" />
          </button>
        </span>
      ))}
      <AddFilter known={known} onAdd={(filter) => onChange([...filters, filter])} />
    </div>
  )
}
