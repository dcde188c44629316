import { Icon } from '../parts/icon.tsx'

/** Aa, 12, a switch or a clock; the word is in its tooltip and read out. */
export function TypeGlyph({ type }: { type: string }) {
  return (
    <span className="gly" title={type}>
      <span className="sr">{type}</span>
      <span aria-hidden="true">{drawn(type)}</span>
    </span>
  )
}

function drawn(type: string) {
  if (type === 'number') return '12'
  if (type === 'boolean') return <Icon name="toggle" />
  return type === 'datetime' ? <Icon name="clock" /> : 'Aa'
}
