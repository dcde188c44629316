import type { ContentDocument } from '../../../contract/content/document.ts'

/** Content as it is stored somewhere. */
export interface StoredContent {
  key: string
  draft: ContentDocument
  /** What `expected_draft` names. */
  revision: string
  published: ContentDocument | null
}

export interface PushedItem {
  document: ContentDocument
  expected_draft: string
}

/** Where content is read from and pushed to: the database of this installation, or a server by its API. */
export interface Place {
  read(): Promise<StoredContent[]>
  push(items: readonly PushedItem[], publish: boolean): Promise<void>
}
