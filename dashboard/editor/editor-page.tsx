import { useDraft } from '../content/use-draft.ts'
import { ChecklistEditor } from './checklist-editor.tsx'
import { DesignEditor } from './design-editor.tsx'
import { FlowEditor } from './flow-editor.tsx'
import '../styles/editor.css'

/** The document of a content: what there is, what users see, and the chosen part of it. */
export function EditorPage() {
  const { document } = useDraft()
  if (document.type === 'flow') return <FlowEditor flow={document} />
  if (document.type === 'checklist') return <ChecklistEditor checklist={document} />
  return <DesignEditor document={document} />
}
