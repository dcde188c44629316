import {
  type AnyDataType,
  type AttributeInputs,
  type Attributes,
  type AttributeValue,
  type DataType,
  inferDataType,
  type Operands,
  type OperationKey,
  operationKeys,
} from '../../contract/attributes.ts'
import { limits } from '../../contract/limits.ts'

/** What a request does to one attribute. `subtract` is an `add` of the negated number; errors name the requested key. */
export type AttributeOperation =
  | { kind: 'remove' }
  | { kind: 'set' | 'set_once'; value: AttributeValue; dataType: AnyDataType }
  | { kind: 'add'; amount: number; requestedKey: 'add' | 'subtract' }

/** An operation that leaves a value. */
export type Assignment = Exclude<AttributeOperation, { kind: 'remove' }>

export type AttributeOperations = readonly (readonly [name: string, operation: AttributeOperation])[]

/** A problem and the field it is in, relative to the attributes map. */
export interface OperationProblem {
  path: string
  message: string
}

const TOO_LARGE = 'would give a number that no 64-bit double can hold'

export type Applied = { attributes: Attributes } | { problems: readonly OperationProblem[] }

/** Reads an attributes map that has passed its schema. */
export function parseOperations(inputs: AttributeInputs | null | undefined): AttributeOperations {
  if (!inputs) return []
  return Object.entries(inputs).map(([name, input]) => [name, parseOperation(input)] as const)
}

/** Every operation of the contract: one that is missing here does not compile. */
const parsers: {
  [Key in OperationKey]: (operand: Operands[Key], dataType: DataType | undefined) => AttributeOperation
} = {
  set: (value, dataType) => ({ kind: 'set', value, dataType: dataType ?? inferDataType(value) }),
  set_once: (value, dataType) => ({
    kind: 'set_once',
    value,
    dataType: dataType ?? inferDataType(value),
  }),
  add: (amount) => ({ kind: 'add', amount, requestedKey: 'add' }),
  subtract: (amount) => ({ kind: 'add', amount: -amount, requestedKey: 'subtract' }),
}

function parseOperation(input: AttributeInputs[string]): AttributeOperation {
  if (input === null) return { kind: 'remove' }
  if (typeof input !== 'object') return { kind: 'set', value: input, dataType: inferDataType(input) }
  const key = operationKeys.find((each) => input[each] !== undefined) as OperationKey
  return parsers[key](input[key] as never, input.data_type ?? undefined)
}

/**
 * Merges operations into attributes. The given object is not changed, and is returned when nothing changes: a back end
 * that sends the same attributes repeatedly causes no write.
 */
export function applyOperations(current: Attributes, operations: AttributeOperations): Applied {
  let attributes = current
  let problems: OperationProblem[] | undefined
  for (const [name, operation] of operations) {
    // Own properties only: `constructor` and `toString` are valid attribute names, and every object inherits them.
    const before = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    const after = applyOperation(before, operation)
    if (typeof after === 'object') {
      problems ??= []
      problems.push({ path: `${name}.${after.path}`, message: after.message })
      continue
    }
    if (after === before) continue
    if (attributes === current) attributes = { ...current }
    if (after === undefined) delete attributes[name]
    else attributes[name] = after
  }
  if (problems) return { problems }
  if (attributes !== current && Object.keys(attributes).length > limits.attributesPerObject)
    return { problems: [TOO_MANY] }
  return { attributes }
}

const TOO_MANY = {
  path: '',
  message: `would be more than ${limits.attributesPerObject} attributes; remove some with null first`,
}

/** The value of an attribute after an operation; undefined is no value. */
function applyOperation(
  current: AttributeValue | undefined,
  operation: AttributeOperation,
): AttributeValue | undefined | OperationProblem {
  switch (operation.kind) {
    case 'remove':
      return undefined
    case 'set':
      return operation.value
    case 'set_once':
      return current ?? operation.value
    case 'add':
      return calculate(current ?? 0, operation.requestedKey, (number) => number + operation.amount)
    default:
      return operation satisfies never
  }
}

/** For all operations on numbers. JSON and PostgreSQL have no -0: adding 0 makes it 0. */
function calculate(
  current: AttributeValue,
  key: OperationKey,
  change: (number: number) => number,
): number | OperationProblem {
  if (typeof current !== 'number')
    return { path: key, message: `works only on a number, and the value is a ${typeof current}` }
  const result = change(current) + 0
  return Number.isFinite(result) ? result : { path: key, message: TOO_LARGE }
}

/** The type of the value that an attribute gets. Definitions are made from it. */
export function seenType(operation: Assignment): AnyDataType {
  switch (operation.kind) {
    case 'set':
    case 'set_once':
      return operation.dataType
    case 'add':
      return 'number'
    default:
      return operation satisfies never
  }
}
