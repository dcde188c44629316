import { Combobox } from '@base-ui/react/combobox'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api.ts'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { useRested } from '../shell/use-rested.ts'

export interface FoundUser {
  id: string
  name: string
}

type Props = {
  label: string
  /** What it means that nobody is chosen. */
  none: string
  value: FoundUser | undefined
  onChange: (user: FoundUser | undefined) => void
}

const SHOWN = 8
const REST_MS = 200
const NOBODY: FoundUser = { id: '', name: '' }

/** One of the users, by the beginning of the id, the e-mail or the name. */
export function UserChoice({ label, none, value, onChange }: Props) {
  const { slug: environment } = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const q = useRested(text.trim(), REST_MS)
  const { data } = useQuery({
    queryKey: [environment, 'user-choice', q],
    queryFn: ({ signal }) => call('listUsers', { environment, limit: SHOWN, ...(q === '' ? {} : { q }) }, signal),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const found = (data?.data ?? []).map(({ id, attributes: { name, email } }) => ({
    id,
    name: String([name, email].find((one) => typeof one === 'string') ?? id),
  }))
  return (
    <Combobox.Root
      items={[NOBODY, ...found]}
      filter={null}
      value={value ?? NOBODY}
      open={isOpen}
      onOpenChange={setOpen}
      inputValue={text}
      onInputValueChange={setText}
      itemToStringLabel={({ name }: FoundUser) => name}
      isItemEqualToValue={(a: FoundUser, b: FoundUser) => a.id === b.id}
      onValueChange={(next: FoundUser | null) => onChange(next && next.id !== '' ? next : undefined)}
    >
      <Combobox.Trigger aria-label={`${label}: ${value?.name ?? none}`} className="select">
        <span className="clip" dir="auto">
          {value?.name ?? none}
        </span>
        <Icon name="updown" />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner className="layer" sideOffset={4}>
          <Combobox.Popup className="menu" aria-label={label}>
            <Combobox.Input className="menu-search" placeholder="Id, e-mail or name" aria-label={`Search: ${label}`} />
            <Combobox.List className="menu-list">
              {(user: FoundUser) => (
                <Combobox.Item key={user.id} value={user} className="menu-item">
                  <span className="clip" dir="auto">
                    {user.id === '' ? none : user.name}
                  </span>
                  {user.name !== user.id && <span className="menu-note">{user.id}</span>}
                  <Combobox.ItemIndicator className="tick" render={<Icon name="check" />} />
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
