import type { ContentDocument } from '../../../contract/content/document.ts'
import type { KeptDraft } from '../../content/push.ts'

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

export interface Push {
  items: readonly PushedItem[]
  /** Also publish each. */
  publish: boolean
  /** Only find out whether it would be refused. */
  isDryRun: boolean
}

export interface PushResult {
  kept: readonly KeptDraft[]
  /** What to know of the published documents, as the paths and messages of a refusal: `documents[0].document.who: …`. */
  warnings: readonly string[]
}

/** Where content is read from and pushed to: the database of this installation, or a server by its API. */
export interface Place {
  read(): Promise<StoredContent[]>
  push(push: Push): Promise<PushResult>
}
