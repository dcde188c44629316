import type { ContentDocument } from '../../contract/content/document.ts'

/** Changes the draft. The name is what undo calls it. */
export type EditDocument = (name: string, change: (document: ContentDocument) => ContentDocument) => void
