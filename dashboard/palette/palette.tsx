import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment, useSession } from '../session/use-session.ts'
import { groupsOf, type Item } from './items.ts'
import { PaletteList } from './palette-list.tsx'
import { searchQuery } from './queries.ts'
import { recentItems, rememberItem } from './recent.ts'

const REST_MS = 120

/** ⌘K: one field that reaches every page, user, group, event and webhook. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { slug } = useEnvironment()
  const [text, setText] = useState('')
  const asked = useRested(text.trim())
  const { data } = useQuery(searchQuery(slug, asked))
  const recent = recentItems(slug)
  const { environments } = useSession()
  const found = groupsOf(slug, useDeferredValue(text.trim()), asked === '' ? undefined : data, environments)
  const groups = text.trim() === '' && recent.length > 0 ? [{ title: 'Recent', items: recent }, ...found] : found
  const items = groups.flatMap((group) => group.items)
  const [at, setAt] = useState(0)
  const chosen = Math.min(at, items.length - 1)
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const open = useOpen(slug, onClose)
  function press(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((chosen + step + items.length) % Math.max(1, items.length))
    } else if (event.key === 'Enter' && items[chosen]) {
      event.preventDefault()
      open(items[chosen], event.metaKey || event.ctrlKey)
    }
  }
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Viewport className="dialog-place high">
          <Dialog.Popup className="palette" initialFocus={field} aria-label="Search and commands">
            <header>
              <Icon name="search" />
              <input
                ref={field}
                // biome-ignore lint/a11y/noAutofocus: letters that are typed right after the shortcut belong here
                autoFocus
                role="combobox"
                aria-expanded="true"
                aria-controls={list}
                aria-activedescendant={items[chosen] ? `${list}-${chosen}` : undefined}
                aria-label="Search pages, users, groups, content, events and webhooks"
                placeholder="Search, paste an id, or ask why…"
                autoComplete="off"
                spellCheck={false}
                value={text}
                onKeyDown={press}
                onChange={(event) => {
                  setText(event.target.value)
                  setAt(0)
                }}
              />
              <kbd>Esc</kbd>
            </header>
            <PaletteList id={list} groups={groups} chosen={chosen} onChoose={setAt} onOpen={open} />
            {items.length === 0 && <p className="menu-empty">Nothing matches “{text.trim()}”.</p>}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Opens an item here, or in a new tab with ⌘. */
function useOpen(environment: string, onClose: () => void) {
  const navigate = useNavigate()
  const router = useRouter()
  return (item: Item, newTab: boolean) => {
    rememberItem(environment, item)
    if (newTab)
      window.open(router.history.createHref(router.buildLocation(item.link as never).href), '_blank', 'noopener')
    else void navigate(item.link as never)
    onClose()
  }
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
