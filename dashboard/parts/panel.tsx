import { type ReactNode, useId } from 'react'

type Props = { title: ReactNode; end?: ReactNode; children: ReactNode; className?: string }

/** One level of box: hairlines inside, no panel in a panel. */
export function Panel({ title, end, children, className = '' }: Props) {
  const id = useId()
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {end && <span className="end">{end}</span>}
      </header>
      {children}
    </section>
  )
}

/** A section of a profile: a title with a count, and actions. */
export function Section({
  title,
  count,
  end,
  children,
}: {
  title: string
  count?: ReactNode
  end?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="section">
      <div className="sec">
        <h2 className="h2" id={id}>
          {title}
        </h2>
        {count !== undefined && <span className="c">{count}</span>}
        {end && <span className="end">{end}</span>}
      </div>
      {children}
    </section>
  )
}
