import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import { Mark } from '../parts/mark.tsx'
import { welcomeQuery } from './queries.ts'
import { Seats } from './seats.tsx'

type Props = { title: string; sub: ReactNode; children: ReactNode; onSubmit?: () => Promise<unknown> }

/** The layout of the pages without a session: sign-in, set-up, invitation. */
export function Gate({ title, sub, children, onSubmit }: Props) {
  const { data } = useQuery(welcomeQuery)
  useEffect(() => {
    document.title = `${title} · Usher`
  }, [title])
  function submit(event: FormEvent) {
    event.preventDefault()
    void onSubmit?.()
  }
  return (
    <div className="gate">
      <main className="gate-l">
        <p className="brand">
          <Mark />
          Usher
        </p>
        <form onSubmit={submit} noValidate>
          <div>
            <h1>{title}</h1>
            <p className="t2">{sub}</p>
          </div>
          {children}
        </form>
        <p className="gate-f">
          <a href="/docs">API reference</a>
          {data && <span>Version {data.version}</span>}
        </p>
      </main>
      <Seats />
    </div>
  )
}
