import { useEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'

type Props = { label: string; placeholder: string; value: string; onChange: (value: string) => void }

const REST_MS = 120

/** Searches 120 ms after the last key. `/` focuses it. */
export function SearchField({ label, placeholder, value, onChange }: Props) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const report = useRef(onChange)
  report.current = onChange
  if (known !== value) {
    // The address changed without this field: Back, or a cleared filter.
    setKnown(value)
    setText(value)
  }
  useEffect(() => {
    if (text === known) return
    const timer = setTimeout(() => {
      setKnown(text)
      report.current(text)
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [text, known])
  return (
    <div className="search">
      <Icon name="search" />
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        autoComplete="off"
        spellCheck={false}
        data-hotkey="/"
        onChange={(event) => setText(event.target.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}
