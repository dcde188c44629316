import { type ReactNode, useId, useSyncExternalStore } from 'react'
import { CopyButton } from './copy.tsx'

export type Language = 'curl' | 'TypeScript' | 'Python'
export type Snippets = Record<Language, string>

const LANGUAGES: Language[] = ['curl', 'TypeScript', 'Python']
const listeners = new Set<() => void>()

/** The language that was chosen last, on any page. */
function useLanguage(): [Language, (language: Language) => void] {
  const stored = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => localStorage.getItem('language'),
  )
  function choose(language: Language) {
    localStorage.setItem('language', language)
    for (const listener of listeners) listener()
  }
  return [LANGUAGES.find((language) => language === stored) ?? 'curl', choose]
}

/** One snippet in three languages; the choice is stored for all pages. */
export function Snippet({ snippets, label }: { snippets: Snippets; label: string }) {
  const [language, choose] = useLanguage()
  const id = useId()
  return (
    <div className="codebox">
      <header>
        <div className="tabs" role="tablist" aria-label={`${label}: language`}>
          {LANGUAGES.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              aria-selected={name === language}
              aria-controls={`${id}-code`}
              tabIndex={name === language ? 0 : -1}
              onClick={() => choose(name)}
              onKeyDown={(event) => moveTab(event, choose)}
            >
              {name}
            </button>
          ))}
        </div>
        <span className="end">
          <CopyButton quiet value={snippets[language]} />
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <pre id={`${id}-code`} role="tabpanel" aria-labelledby={`${id}-${language}`} tabIndex={0}>
        {highlight(snippets[language])}
      </pre>
    </div>
  )
}

function moveTab(event: React.KeyboardEvent<HTMLButtonElement>, choose: (language: Language) => void) {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const tabs = [...(event.currentTarget.parentElement?.children ?? [])] as HTMLElement[]
  const next = (tabs.indexOf(event.currentTarget) + step + tabs.length) % tabs.length
  choose(LANGUAGES[next] ?? 'curl')
  tabs[next]?.focus()
}

const TOKENS = /('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|\b(await|import|from|const|new)\b/g

/** Strings and a few words in colour, as text nodes. */
function highlight(code: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of code.matchAll(TOKENS)) {
    parts.push(code.slice(end, match.index))
    const name = match[1] ? 'tok-str' : 'tok-bool'
    parts.push(
      <span key={match.index} className={name}>
        {match[0]}
      </span>,
    )
    end = match.index + match[0].length
  }
  parts.push(code.slice(end))
  return parts
}
