import { applyOperations, type Operations, type Problem } from '../attributes/operations.ts'
import type { Stored } from '../commit/state.ts'
import { type ApiError, errors } from '../errors.ts'

/** The object after the operations: the same one when nothing changed, a new one when there was none. */
export function mergeInto(
  current: Stored | undefined,
  operations: Operations,
  at: string,
  path: string,
): Stored | ApiError {
  const applied = applyOperations(current?.attributes ?? {}, operations)
  if ('problem' in applied) return errors.invalidParams([describe(path, applied.problem)])
  if (current?.attributes === applied.attributes) return current
  return {
    ...current,
    attributes: applied.attributes,
    text: JSON.stringify(applied.attributes),
    createdAt: current?.createdAt ?? at,
  }
}

function describe(path: string, { path: field, message }: Problem): string {
  return `${field === '' ? path : `${path}.${field}`}: ${message}`
}
