import { useState } from 'react'
import type { ContentDocument } from '../../contract/content/document.ts'
import { draftProblems } from '../../contract/content/draft.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useContent, useDraft } from './use-draft.ts'

/** The document as its file: to read, to download, and to paste another over it. */
export function JsonDialog({ onClose }: { onClose: () => void }) {
  const { detail } = useContent()
  const { document, edit, reason } = useDraft()
  const [text, setText] = useState(() => JSON.stringify(document, null, 2))
  const [problems, setProblems] = useState<string[]>([])
  function use() {
    const read = readDocument(text, detail.key, detail.type)
    if ('problems' in read) return setProblems(read.problems)
    edit('paste a document', () => read.document)
    onClose()
  }
  function download() {
    const address = URL.createObjectURL(new Blob([`${text}\n`], { type: 'application/json' }))
    const link = window.document.createElement('a')
    link.href = address
    link.download = `${detail.key}.json`
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="The document as JSON"
      about="The same file that usher content pull writes. What you paste here becomes the draft; undo brings this one back."
    >
      <textarea
        className="input json-in mono"
        aria-label="Document"
        spellCheck={false}
        rows={22}
        readOnly={reason !== undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {problems.length > 0 && (
        <ul className="problem-text" role="alert">
          {problems.slice(0, 8).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <footer>
        <Button icon="download" onClick={download}>
          Download
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" reason={reason} onClick={use}>
          Use this document
        </Button>
      </footer>
    </Dialog>
  )
}

/** The key and the kind are those of the content, whatever the file says. */
function readDocument(text: string, key: string, type: string): { document: ContentDocument } | { problems: string[] } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problems: [`This is not JSON: ${(error as Error).message}`] }
  }
  const document = { ...(value as ContentDocument), key }
  if (document.type !== type) return { problems: [`type: must be ${type}: the kind of content does not change`] }
  const found = draftProblems(document)
  return found.length === 0
    ? { document }
    : { problems: found.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)) }
}
