import { createContext, useContext, useSyncExternalStore } from 'react'
import type { ContentDocument } from '../../contract/content/document.ts'
import type { DraftState, DraftStore } from './draft-store.ts'
import type { ContentDetail } from './queries.ts'

/** What the pages of a content share. */
export interface OpenContent {
  detail: ContentDetail
  store: DraftStore
  /** Why nothing can be changed: the role, or a version that was published. */
  reason: string | undefined
  /** The version that is looked at instead of the draft. */
  version: { number: number; published_at: string | null; document: ContentDocument } | undefined
}

export const ContentContext = createContext<OpenContent | undefined>(undefined)

export function useContent(): OpenContent {
  const content = useContext(ContentContext)
  if (!content) throw new Error('There is no content around this page.')
  return content
}

export const useDraftState = (store: DraftStore): DraftState => useSyncExternalStore(store.subscribe, store.read)

/** The document that is shown, and how to change it. Every page of a content edits the same draft. */
export function useDraft() {
  const { store, reason, version } = useContent()
  const state = useDraftState(store)
  const edit = (name: string, change: (document: ContentDocument) => ContentDocument, field?: string) => {
    if (reason === undefined) store.edit(name, change, field)
  }
  return { document: version?.document ?? state.document, edit, reason, problems: version ? [] : state.problems }
}
