import { initials } from '../format/shorten.ts'

type Props = { name: string | null | undefined; large?: boolean; square?: boolean }

/** Initials beside a name that says the same. */
export function Avatar({ name, large, square }: Props) {
  return (
    <span className={`ava ${large ? 'lg' : ''} ${square ? 'square' : ''}`} aria-hidden="true">
      {initials(name)}
    </span>
  )
}
