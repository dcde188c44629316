import { Icon } from '../parts/icon.tsx'
import type { AttributeRow } from './queries.ts'

/** What pages of the application may do with an attribute: write it, and show it to users who are not verified. */
export function PageMarks({ row: { written_by, shown_unverified } }: { row: AttributeRow }) {
  const marks = [
    ...(written_by === 'anyone'
      ? [{ icon: 'pencil', words: 'Pages may write it: it may come from a browser' } as const]
      : []),
    ...(shown_unverified ? [{ icon: 'eye', words: 'Content may show it to users who are not verified' } as const] : []),
  ]
  return marks.map(({ icon, words }) => (
    <span key={icon} className="page-mark" role="img" aria-label={words} title={words}>
      <Icon name={icon} />
    </span>
  ))
}
