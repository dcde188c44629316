import { limits } from '../../contract/limits.ts'
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
  const attributesJson = toAttributesJson(applied.attributes)
  if (isTooLarge(attributesJson, current?.attributesJson)) return tooLarge(path)
  return { attributes: applied.attributes, attributesJson }
}

/** An object from before there was a limit may stay as large as it is. */
function isTooLarge(json: string, before = ''): boolean {
  // No character takes more than three bytes for each of its code units.
  if (json.length * 3 <= limits.attributesBytes) return false
  const bytes = Buffer.byteLength(json)
  return bytes > limits.attributesBytes && bytes > Buffer.byteLength(before)
}

function tooLarge(path: string): ApiError {
  const most = limits.attributesBytes.toLocaleString('en')
  return errors.invalidParams([
    `${path}: would be more than ${most} bytes of JSON; shorten some, or remove some with null first`,
  ])
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
