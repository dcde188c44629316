/** The element types, and the encoding of their values in JavaScript. */
const TYPES = {
  text: { oid: 25, encoding: 'utf8' },
  bytea: { oid: 17, encoding: 'hex' },
} as const

/** One dimension, nulls may be among the elements, the type, the number of elements, and the first index. */
const HEADER_BYTES = 5 * 4

/** No character takes more than three bytes for each of its code units. To count them takes longer than the room is worth. */
const MOST_BYTES = 3

/**
 * An array as a parameter in the binary format of PostgreSQL. Nothing is escaped, so that it is right for long texts with
 * many quotes: 31 rows with the answer of an event each are read in 70 µs, as a JSON document in 210.
 */
export function binaryArray(type: keyof typeof TYPES, values: readonly (string | null)[]): Buffer {
  const { oid, encoding } = TYPES[type]
  let most = HEADER_BYTES
  for (const value of values) most += 4 + MOST_BYTES * (value?.length ?? 0)
  const array = Buffer.allocUnsafe(most)
  let offset = 0
  for (const field of [1, 1, oid, values.length, 1]) offset = array.writeInt32BE(field, offset)
  for (const value of values) {
    const length = value === null ? 0 : array.write(value, offset + 4, encoding)
    array.writeInt32BE(value === null ? -1 : length, offset)
    offset += 4 + length
  }
  return array.subarray(0, offset)
}
