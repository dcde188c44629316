import type { ContentDocument } from '../../contract/content/document.ts'

/** A draft that the server does not have yet, and the revision that it was made from. */
export interface KeptDraft {
  document: ContentDocument
  revision: string
}

const nameOf = (contentId: string) => `draft:${contentId}`

/** A full or closed storage is no failure: it is the second place. */
export function keep(contentId: string, draft: KeptDraft): void {
  try {
    localStorage.setItem(nameOf(contentId), JSON.stringify(draft))
  } catch {
    // The draft is in this page, and goes to the server.
  }
}

export function keptOf(contentId: string): KeptDraft | undefined {
  try {
    const text = localStorage.getItem(nameOf(contentId))
    return text === null ? undefined : (JSON.parse(text) as KeptDraft)
  } catch {
    return undefined
  }
}

export function forgetKept(contentId: string): void {
  localStorage.removeItem(nameOf(contentId))
}
