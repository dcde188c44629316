import type { ReactNode } from 'react'
import { dayHeading, dayKey } from '../format/time.ts'
import { Time } from './time.tsx'

export type Point = {
  key: string
  at: string
  look: 'event' | 'hook' | 'fail' | 'start'
  title: ReactNode
  detail: ReactNode
}

/** Days as headings and a rail. */
export function Timeline({ points }: { points: Point[] }) {
  const now = new Date()
  return (
    <div className="tl">
      {byDay(points).map(([heading, list]) => (
        <section key={heading} aria-label={dayHeading(new Date(list[0]?.at ?? 0), now)}>
          <h3>{dayHeading(new Date(list[0]?.at ?? 0), now)}</h3>
          <ul>
            {list.map((point) => (
              <li key={point.key}>
                <span className={`pt ${point.look}`} aria-hidden="true" />
                <div className="clip">
                  <p className="clip">{point.title}</p>
                  <p className="at clip">{point.detail}</p>
                </div>
                <Time at={point.at} as="clock" plain />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function byDay(points: Point[]): [string, Point[]][] {
  const days = new Map<string, Point[]>()
  for (const point of points) {
    const key = dayKey(new Date(point.at))
    const list = days.get(key)
    if (list) list.push(point)
    else days.set(key, [point])
  }
  return [...days]
}
