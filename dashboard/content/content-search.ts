import { contentTypes } from '../../contract/content/document.ts'
import { one, present, text } from '../search.ts'

/** As the list shows them. Routes are in the first load, so this file imports no component. */
export const SHOWN_STATES = ['published', 'changed', 'draft', 'paused'] as const

export type ContentSearch = {
  kind?: (typeof contentTypes)[number] | undefined
  state?: (typeof SHOWN_STATES)[number] | undefined
  q?: string | undefined
  /** The page that a new content begins with. */
  new?: 'yes' | undefined
}

export function readContentSearch(search: Record<string, unknown>): ContentSearch {
  return present({
    kind: one(search.kind, contentTypes),
    state: one(search.state, SHOWN_STATES),
    q: text(search.q),
    new: one(search.new, ['yes']),
  })
}
