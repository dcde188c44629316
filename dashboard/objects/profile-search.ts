import { one, present, text } from '../search.ts'
import { SHOWN, type Shown } from './queries.ts'

/** The address of a profile: how its attributes are shown, what its timeline shows, and the event that is open. */
export type ProfileSearch = { as?: 'json' | undefined; show?: Shown | undefined; open?: string | undefined }

export function readProfileSearch(search: Record<string, unknown>): ProfileSearch {
  return present({ as: one(search.as, ['json']), show: one(search.show, SHOWN), open: text(search.open) })
}
