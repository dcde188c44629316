import { useEffect, useRef } from 'react'
import { Icon } from '../parts/icon.tsx'
import type { Item, ItemGroup } from './items.ts'

type Props = {
  id: string
  groups: ItemGroup[]
  chosen: number
  onChoose: (index: number) => void
  onOpen: (item: Item, newTab: boolean) => void
}

export function PaletteList({ id, groups, chosen, onChoose, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector(`[id="${CSS.escape(`${id}-${chosen}`)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])
  let index = -1
  return (
    <div id={id} ref={box} role="listbox" aria-label="Results" className="palette-list">
      {groups.map((group) => (
        <div key={group.title} role="group" aria-label={group.title}>
          <p className="group" aria-hidden="true">
            {group.title}
          </p>
          {group.items.map((item) => {
            index += 1
            const place = index
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: as above
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
              <div
                key={`${group.title} ${item.key}`}
                id={`${id}-${place}`}
                role="option"
                aria-selected={place === chosen}
                className={place === chosen ? 'option on' : 'option'}
                onPointerMove={() => place !== chosen && onChoose(place)}
                onClick={(event) => onOpen(item, event.metaKey || event.ctrlKey)}
              >
                <Icon name={item.icon} />
                <span className="clip" dir="auto">
                  {item.label} {item.note && <span className="t3">{item.note}</span>}
                </span>
                {place === chosen && <span className="end">Open ↵</span>}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}
