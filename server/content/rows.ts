import type { ContentType } from '../../contract/content/document.ts'

/** A row of `content`. Times are ISO texts, as the driver reads them. */
export interface ContentRow {
  id: string
  key: string
  type: ContentType
  name: string
  draft_version_id: string
  published_version_id: string | null
  published_at: string | null
  counts_from: string | null
  address: string | null
  created_at: string
}

/** A row of `content_versions`. `document` is JSON text. */
export interface VersionRow {
  id: string
  content_id: string
  number: number
  document: string
  description: string
  revision: number
  edited_at: string
  edited_by: string | null
  /** Null of a version that was edited before ids were stored. */
  edited_by_id: string | null
  created_at: string
  published_at: string | null
}
