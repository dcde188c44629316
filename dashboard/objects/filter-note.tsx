import { count } from '../format/number.ts'
import { Icon } from '../parts/icon.tsx'
import type { Collection } from './queries.ts'
import { WORDS } from './words.ts'

type Page = { data: unknown[]; looked_at: number | null; is_bounded: boolean }

/** Shown when a filter has read only a part of the rows. */
export function FilterNote({ kind, pages }: { kind: Collection; pages: Page[] }) {
  const looked = pages.reduce((sum, page) => sum + (page.looked_at ?? 0), 0)
  const bounded = pages.at(-1)?.is_bounded
  if (!bounded) return null
  const found = pages.reduce((sum, page) => sum + page.data.length, 0)
  const { many } = WORDS[kind]
  return (
    <p className="note mt-12" role="status">
      <Icon name="info" />
      <span>
        The filter looked at the first {count(looked)} {many} of this order; {count(found)} of them{' '}
        {found === 1 ? 'matches' : 'match'}. Look at more below, or search by id, e-mail or name, which looks at all.
      </span>
    </p>
  )
}
