import { Popover } from '@base-ui/react/popover'
import { type FormEvent, useState } from 'react'
import type { FilterOperator } from '../../contract/dashboard/objects.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Select } from '../parts/select.tsx'
import { type Filter, needsValue, OPERATORS, operatorsOf } from './filters.ts'

type Known = { name: string; type: string }
type Props = { known: Known[]; onAdd: (filter: Filter) => void }

/** Attribute, then the operators of its type, then a value. */
export function AddFilter({ known, onAdd }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="chip add" data-hotkey="f">
        <Icon name="plus" />
        Filter
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="layer" sideOffset={4} align="start">
          <Popover.Popup className="menu form" aria-label="Add a filter">
            <FilterForm
              known={known}
              onAdd={(filter) => {
                onAdd(filter)
                setOpen(false)
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function FilterForm({ known, onAdd }: Props) {
  const [attribute, setAttribute] = useState<string | null>(null)
  const type = known.find(({ name }) => name === attribute)?.type ?? 'string'
  const operators = operatorsOf(type)
  const [chosen, setOperator] = useState<FilterOperator>('eq')
  const operator = operators.includes(chosen) ? chosen : (operators[0] ?? 'eq')
  const [value, setValue] = useState('')
  const given = type === 'boolean' && needsValue(operator) && value === '' ? 'true' : value
  function submit(event: FormEvent) {
    event.preventDefault()
    if (attribute && (given.trim() !== '' || !needsValue(operator))) onAdd({ attribute, operator, value: given.trim() })
  }
  if (known.length === 0) return <p className="menu-empty">There are no attributes yet.</p>
  return (
    <form onSubmit={submit} className="filter-form">
      <Select
        label="Attribute"
        placeholder="Attribute"
        value={attribute}
        options={known.map(({ name }) => ({
          value: name,
          label: name,
          note: known.find((one) => one.name === name)?.type ?? '',
        }))}
        onChange={setAttribute}
      />
      <Select
        label="Operator"
        value={operator}
        options={operators.map((value) => ({ value, label: OPERATORS[value] }))}
        onChange={setOperator}
      />
      {needsValue(operator) && <ValueInput type={type} operator={operator} value={given} onChange={setValue} />}
      <Button kind="primary" type="submit">
        Add filter
      </Button>
    </form>
  )
}

const SPANS = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
]

type ValueProps = { type: string; operator: FilterOperator; value: string; onChange: (value: string) => void }

function ValueInput({ type, operator, value, onChange }: ValueProps) {
  if (type === 'boolean') {
    const options = ['true', 'false'].map((text) => ({ value: text, label: text }))
    return <Select label="Value" value={value || 'true'} options={options} onChange={onChange} />
  }
  if (operator === 'within')
    return <Select label="Span" placeholder="Span" value={value || null} options={SPANS} onChange={onChange} />
  return (
    <input
      className="input"
      aria-label="Value"
      placeholder={type === 'datetime' ? '2026-01-31T00:00:00Z' : 'Value'}
      inputMode={type === 'number' ? 'decimal' : 'text'}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
