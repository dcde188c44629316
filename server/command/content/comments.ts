import { applyEdits, type JSONPath, modify, parse, stripComments } from 'jsonc-parser'
import { isEqual } from '../../../contract/content/differences.ts'
import type { ContentDocument } from '../../../contract/content/document.ts'
import { formatDocument } from '../../../contract/content/format.ts'

export const hasComments = (text: string) => stripComments(text) !== text

const formattingOptions = { insertSpaces: true, tabSize: 2 }

/** The text of a file with another document: only what differs is written anew, so that comments stay where they are. */
export function withComments(text: string, before: unknown, after: ContentDocument): string {
  let changed = text
  for (const { path, value } of differing(before, after, []))
    changed = applyEdits(changed, modify(changed, path, value, { formattingOptions }))
  return isEqual(parse(changed, [], { allowTrailingComma: true }), after) ? changed : formatDocument(after)
}

interface Differing {
  path: JSONPath
  /** Undefined: it is removed. */
  value: unknown
}

function differing(before: unknown, after: unknown, path: JSONPath): Differing[] {
  if (isEqual(before, after)) return []
  const names = commonNames(before, after)
  if (!names) return [{ path, value: after }]
  const fields = (value: unknown) => value as Readonly<Record<string | number, unknown>>
  return names.flatMap((name) => differing(fields(before)[name], fields(after)[name], [...path, name]))
}

/** The names of two objects, or the places of two lists of the same length. */
function commonNames(before: unknown, after: unknown): (string | number)[] | undefined {
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length ? [...before.keys()] : undefined
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject(before) || !isObject(after)) return undefined
  return [...new Set([...Object.keys(before as object), ...Object.keys(after as object)])]
}
