import { hash } from 'node:crypto'
import type { AttributeValue } from '../../contract/attributes.ts'
import type { AttributeOperations } from '../attributes/operations.ts'
import type { IgnoredAttribute } from '../writes/jobs.ts'

/** The token of a visitor has to stay short. */
const MOST_SENT = 40

/**
 * What a page has sent of its user, as short digests of name and value, which its token carries. The stored value may be
 * another's since then: it is shown only while it is the one that was sent. Only what was set counts, because a page that
 * sets a value learns nothing from seeing it.
 */
export function withSent(
  before: readonly string[],
  operations: AttributeOperations,
  ignored: readonly IgnoredAttribute[],
): readonly string[] {
  const left = new Set(ignored.map(({ name }) => name))
  const sent = operations.flatMap(([name, operation]) =>
    operation.kind === 'set' && !left.has(name) ? [sentDigest(name, operation.value)] : [],
  )
  return [...new Set([...before, ...sent])].slice(-MOST_SENT)
}

/** 48 bits. */
export function sentDigest(name: string, value: AttributeValue): string {
  return hash('sha256', JSON.stringify([name, value]), 'base64url').slice(0, 8)
}
