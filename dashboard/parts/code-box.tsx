import type { ReactNode } from 'react'
import { CopyIcon } from './copy.tsx'

type Props = {
  title: ReactNode
  /** Beside the title: a size, a method. */
  note?: ReactNode
  copy?: { value: string; label: string }
  /** Between the head and the text: headers of a request. */
  facts?: [string, ReactNode][]
  children: ReactNode
}

/** A body of a request or a response under its title. It scrolls inside itself. */
export function CodeBox({ title, note, copy, facts, children }: Props) {
  return (
    <section className="codebox">
      <header>
        <h2 className="codebox-title">{title}</h2>
        <span className="end">
          {note && <span>{note}</span>}
          {copy && <CopyIcon value={copy.value} label={copy.label} />}
        </span>
      </header>
      {facts && (
        <div className="hd">
          {facts.map(([name, value]) => (
            <div key={name}>
              <b>{name}</b>
              <span>{value}</span>
            </div>
          ))}
        </div>
      )}
      {children}
    </section>
  )
}
