import { Children, type ReactNode } from 'react'
import { Icon } from '../parts/icon.tsx'

type Props = { number: number; title: string; done: boolean; now: boolean; open?: boolean; children: ReactNode }

/** A step that is done or under way shows all of it; one that comes later only its first line. */
export function Step({ number, title, done, now, open, children }: Props) {
  const parts = Children.toArray(children)
  const whole = now || open === true || number === 1
  return (
    <li className={done ? 'done' : now ? 'now' : 'later'} aria-current={now ? 'step' : undefined}>
      <span className="no">
        {done ? <Icon name="check" /> : number}
        {done && <span className="sr">Done</span>}
      </span>
      <div>
        <h2>{title}</h2>
        {whole ? parts : parts[0]}
      </div>
    </li>
  )
}
