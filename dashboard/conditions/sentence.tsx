import type { Condition } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import { useSentence } from './use-sentence.ts'

type Props = {
  condition: Condition | undefined
  before?: string
  otherwise: string
}

/** The rule as one sentence, from the same tree as its rows: their names in mono, values strong. */
export function Sentence({ condition, before = 'Whoever fits: ', otherwise }: Props) {
  const sentence = useSentence()
  if (!condition) return <p className="sentence">{otherwise}.</p>
  const words = sentence(condition)
  const theirs = new Set<string>()
  eachLeaf(condition, (leaf) => {
    if ('attribute' in leaf) theirs.add(leaf.attribute)
    if ('event' in leaf) theirs.add(leaf.event)
  })
  return (
    <p className="sentence" dir="auto">
      {before}
      {marked(words, theirs)}.
    </p>
  )
}

function marked(words: string, theirs: ReadonlySet<string>) {
  const names = [...theirs].sort((a, b) => b.length - a.length).map((name) => escaped(name))
  const parts = words.split(new RegExp(`("(?:[^"\\\\]|\\\\.)*"${names.map((name) => `|\\b${name}\\b`).join('')})`))
  return parts.map((part, index) => {
    const key = `${index} ${part}`
    if (part.startsWith('"')) return <b key={key}>{unquoted(part)}</b>
    return theirs.has(part) ? (
      <span key={key} className="mono">
        {part}
      </span>
    ) : (
      part
    )
  })
}

/** A value is quoted as in JSON; a quotation mark in a name may be followed by anything. */
function unquoted(part: string): string {
  try {
    return JSON.parse(part) as string
  } catch {
    return part
  }
}

const escaped = (name: string) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
