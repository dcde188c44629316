import { toAttributesJson } from '../attributes/json.ts'
import { type AttributeOperations, applyOperations, type OperationProblem } from '../attributes/operations.ts'
import { ApiError, errors } from '../errors.ts'
import type { AttributesWithText, Stored } from './state.ts'

/** The attributes after the operations: the same object when nothing changed. */
export function merge(
  current: AttributesWithText | undefined,
  operations: AttributeOperations,
  path: string,
): AttributesWithText | ApiError {
  const applied = applyOperations(current?.attributes ?? {}, operations)
  if ('problems' in applied) return errors.invalidParams(applied.problems.map((problem) => describe(path, problem)))
  if (current?.attributes === applied.attributes) return current
  return { attributes: applied.attributes, attributesJson: toAttributesJson(applied.attributes) }
}

/** The user or group after the operations: the same object when nothing changed, a new one when there was none. */
export function mergeInto(
  current: Stored | undefined,
  operations: AttributeOperations,
  at: string,
  path: string,
): Stored | ApiError {
  const merged = merge(current, operations, path)
  if (merged === current || merged instanceof ApiError) return merged as Stored | ApiError
  return { ...merged, createdAt: current?.createdAt ?? at }
}

function describe(path: string, { path: field, message }: OperationProblem): string {
  return `${field === '' ? path : `${path}.${field}`}: ${message}`
}
