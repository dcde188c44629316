import { Combobox } from '@base-ui/react/combobox'
import { type ReactNode, useRef } from 'react'
import { Icon } from '../parts/icon.tsx'
import type { Choice } from './chip-part.ts'

type Item = Choice & { glyph?: ReactNode; group?: string }

type Props = {
  label: string
  className: string
  choices: readonly Item[]
  chosen: string | undefined
  onChoose: (value: string) => void
  isOpen?: boolean
  children: ReactNode
}

/** From this many on a list can be searched. */
const SEARCHED = 8

/** A button that opens a list, in groups where the choices have them. */
export function ChoiceList({ label, className, choices, chosen, onChoose, isOpen = false, children }: Props) {
  const trigger = useRef<HTMLButtonElement>(null)
  const groups = [...Map.groupBy(choices, ({ group }) => group ?? '')]
  const items = groups.map(([value, list]) => ({ value, items: list }))
  const current = choices.find(({ value }) => value === chosen) ?? null
  return (
    <Combobox.Root
      items={items}
      value={current}
      defaultOpen={isOpen}
      autoHighlight
      isItemEqualToValue={(a: Item, b: Item) => a.value === b.value}
      onValueChange={(next: Item | null) => next && onChoose(next.value)}
    >
      <Combobox.Trigger ref={trigger} className={className} aria-label={label}>
        {children}
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner className="layer" sideOffset={6} align="start">
          {/* The list of a new row opens by itself: who has chosen goes on in the row, not at the button that added it. */}
          <Combobox.Popup className="menu" aria-label={label} finalFocus={trigger}>
            {choices.length >= SEARCHED && (
              <Combobox.Input className="menu-search" placeholder="Search…" aria-label={`Search: ${label}`} />
            )}
            <Combobox.Empty className="menu-empty">Nothing matches.</Combobox.Empty>
            <Combobox.List className="menu-list">
              {(group: { value: string; items: Item[] }) => (
                <Combobox.Group key={group.value} items={group.items}>
                  {group.value && <Combobox.GroupLabel className="menu-group">{group.value}</Combobox.GroupLabel>}
                  <Combobox.Collection>
                    {(item: Item) => (
                      <Combobox.Item key={`${item.group} ${item.value}`} value={item} className="menu-item">
                        {item.glyph}
                        <span className="clip" dir="auto">
                          {item.label}
                        </span>
                        {item.note && item.note !== item.label && <span className="menu-note">{item.note}</span>}
                        <Combobox.ItemIndicator className="tick" render={<Icon name="check" />} />
                      </Combobox.Item>
                    )}
                  </Combobox.Collection>
                </Combobox.Group>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
