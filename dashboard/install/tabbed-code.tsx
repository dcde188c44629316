import { useId, useState } from 'react'
import { CopyButton } from '../parts/copy.tsx'

type Props = { label: string; snippets: Record<string, string> }

/** One of several snippets, by its tab. */
export function TabbedCode({ label, snippets }: Props) {
  const names = Object.keys(snippets)
  const [chosen, setChosen] = useState(names[0] as string)
  const id = useId()
  const move = (event: React.KeyboardEvent<HTMLButtonElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const next = (names.indexOf(chosen) + step + names.length) % names.length
    setChosen(names[next] as string)
    ;(event.currentTarget.parentElement?.children[next] as HTMLElement | undefined)?.focus()
  }
  return (
    <div className="codebox">
      <header>
        <div className="tabs" role="tablist" aria-label={label}>
          {names.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              aria-selected={name === chosen}
              aria-controls={`${id}-code`}
              tabIndex={name === chosen ? 0 : -1}
              onKeyDown={move}
              onClick={() => setChosen(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <span className="end">
          <CopyButton quiet value={snippets[chosen] ?? ''} />
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <pre id={`${id}-code`} role="tabpanel" aria-labelledby={`${id}-${chosen}`} tabIndex={0}>
        {snippets[chosen]}
      </pre>
    </div>
  )
}
