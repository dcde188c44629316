import { Popover } from '@base-ui/react/popover'
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'

type Props = { known: string[]; chosen: string[]; onChange: (columns: string[]) => void }

const SEARCH_FROM = 8

/** Check boxes; the order by drag or Alt and the arrows. */
export function ColumnChooser({ known, chosen, onChange }: Props) {
  const [text, setText] = useState('')
  const rest = known.filter((name) => !chosen.includes(name))
  const shown = [...chosen, ...rest].filter((name) => name.includes(text))
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <Button small icon="columns">
            Columns<span className="t3">{chosen.length}</span>
          </Button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner className="layer" sideOffset={4} align="end">
          <Popover.Popup className="menu columns" aria-label="Columns">
            {known.length >= SEARCH_FROM && (
              <input
                className="menu-search"
                placeholder="Search attributes…"
                aria-label="Search attributes"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
            {shown.length === 0 && (
              <p className="menu-empty">{known.length === 0 ? 'There are no attributes yet.' : 'Nothing matches.'}</p>
            )}
            <ul className="menu-list">
              {shown.map((name) => (
                <ColumnRow key={name} name={name} chosen={chosen} onChange={onChange} />
              ))}
            </ul>
            <p className="menu-help">Drag, or Alt and ↑ ↓, to change the order.</p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function ColumnRow({ name, chosen, onChange }: { name: string; chosen: string[]; onChange: Props['onChange'] }) {
  const at = chosen.indexOf(name)
  const on = at !== -1
  function press(event: KeyboardEvent) {
    const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (!step || !on) return
    event.preventDefault()
    onChange(moved(chosen, at, at + step))
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    const from = chosen.indexOf(event.dataTransfer.getData('text/plain'))
    if (from !== -1 && on) onChange(moved(chosen, from, at))
  }
  return (
    <li
      draggable={on}
      onDragStart={(event) => event.dataTransfer.setData('text/plain', name)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <label className="menu-item">
        <input
          type="checkbox"
          checked={on}
          onKeyDown={press}
          onChange={() => onChange(on ? chosen.filter((other) => other !== name) : [...chosen, name])}
        />
        <span className="mono clip" dir="auto">
          {name}
        </span>
        {on && <Icon name="drag" />}
      </label>
    </li>
  )
}

function moved(list: string[], from: number, to: number): string[] {
  const name = list[from]
  if (name === undefined || to < 0 || to >= list.length) return list
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(to, 0, name)
}
