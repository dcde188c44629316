import { useState } from 'react'
import type { Step } from '../../contract/content/document.ts'
import { stepTitle } from '../../contract/content/step-title.ts'
import { KindGlyph } from '../content/kinds.tsx'

type Props = {
  step: Step
  number: number
  /** Undefined: it stays as it was. */
  onDone: (title: string | undefined) => void
}

/** The title of a step in its place. ↵ keeps what is typed, Esc leaves it. */
export function TitleField({ step, number, onDone }: Props) {
  const [text, setText] = useState(() => (step.type === 'hidden' ? (step.name ?? '') : stepTitle(step)))
  return (
    <div className="st on naming">
      <KindGlyph icon={step.type} />
      <input
        className="input"
        aria-label={`Title of step ${number}`}
        dir="auto"
        maxLength={100}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of what has the focus
        autoFocus
        value={text}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => onDone(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onDone(text)
          if (event.key === 'Escape') onDone(undefined)
        }}
      />
    </div>
  )
}
