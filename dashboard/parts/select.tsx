import { Combobox } from '@base-ui/react/combobox'
import { Select as Box } from '@base-ui/react/select'
import { type ReactNode, useState } from 'react'
import { Icon } from './icon.tsx'

export type Option<Value extends string> = { value: Value; label: string; note?: string }

type Props<Value extends string> = {
  label: string
  options: Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  disabled?: boolean
  placeholder?: string
  className?: string
}

type ListProps<Value extends string> = Props<Value> & { onOpenChange: (isOpen: boolean) => void }

/** A list box; from eight options on it can be searched by typing. While it is open, more options change no more than its rows. */
export function Select<Value extends string>(props: Props<Value>) {
  const [isOpen, setIsOpen] = useState(false)
  const isLongNow = props.options.length >= 8
  const [isLong, setIsLong] = useState(isLongNow)
  if (!isOpen && isLong !== isLongNow) setIsLong(isLongNow)
  const List = isLong ? LongList : ShortList
  return <List {...props} onOpenChange={setIsOpen} />
}

function ShortList<Value extends string>({
  label,
  options,
  value,
  onChange,
  disabled,
  placeholder,
  className,
  onOpenChange,
}: ListProps<Value>) {
  return (
    <Box.Root
      items={options}
      value={value}
      disabled={disabled ?? false}
      onOpenChange={onOpenChange}
      onValueChange={(next) => next !== null && onChange(next)}
    >
      <Box.Trigger aria-label={label} className={`select ${className ?? ''}`}>
        <Box.Value>{(chosen: Value | null) => labelOf(options, chosen) ?? placeholder ?? 'Choose…'}</Box.Value>
        <Box.Icon render={<Icon name="updown" />} />
      </Box.Trigger>
      <Box.Portal>
        <Box.Positioner className="layer" sideOffset={4} alignItemWithTrigger={false}>
          <Box.Popup className="menu">
            <Box.List>
              {options.map((option) => (
                <Box.Item key={option.value} value={option.value} className="menu-item">
                  <Box.ItemText>{option.label}</Box.ItemText>
                  <Note>{option.note}</Note>
                  <Box.ItemIndicator className="tick" render={<Icon name="check" />} />
                </Box.Item>
              ))}
            </Box.List>
          </Box.Popup>
        </Box.Positioner>
      </Box.Portal>
    </Box.Root>
  )
}

function LongList<Value extends string>({
  label,
  options,
  value,
  onChange,
  disabled,
  placeholder,
  className,
  onOpenChange,
}: ListProps<Value>) {
  const chosen = options.find((option) => option.value === value) ?? null
  return (
    <Combobox.Root
      items={options}
      value={chosen}
      disabled={disabled ?? false}
      isItemEqualToValue={(a, b) => a.value === b.value}
      onOpenChange={onOpenChange}
      onValueChange={(next) => next && onChange(next.value)}
    >
      <Combobox.Trigger aria-label={label} className={`select ${className ?? ''}`}>
        <span className="clip">{chosen?.label ?? placeholder ?? 'Choose…'}</span>
        <Icon name="updown" />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner className="layer" sideOffset={4}>
          <Combobox.Popup className="menu" aria-label={label}>
            <Combobox.Input className="menu-search" placeholder="Search…" aria-label={`Search: ${label}`} />
            <Combobox.Empty className="menu-empty">Nothing matches.</Combobox.Empty>
            <Combobox.List className="menu-list">
              {(option: Option<Value>) => (
                <Combobox.Item key={option.value} value={option} className="menu-item">
                  <span className="clip">{option.label}</span>
                  <Note>{option.note}</Note>
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

const labelOf = <Value extends string>(options: Option<Value>[], value: Value | null) =>
  options.find((option) => option.value === value)?.label

const Note = ({ children }: { children?: ReactNode }) =>
  children ? <span className="menu-note">{children}</span> : null
