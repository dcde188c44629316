import type { AttributeValue } from '../../contract/attributes.ts'
import { readDateTime } from '../../contract/datetime.ts'
import { limits } from '../../contract/limits.ts'

/**
 * The text that a list sorts an attribute by, such that comparing two keys byte by byte (`collate "C"`) compares the
 * values: absent values first, then booleans, date-times by their instant, numbers, and strings by code point.
 */

// A B-tree entry holds at most 2,704 bytes. An id takes up to 1,020, so 256 characters of four bytes each still fit.
// Strings that agree that far are ordered by the id.
const KEY_CHARACTERS = limits.orderedCharacters

export function sortKey(value: AttributeValue | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'b1' : 'b0'
  if (typeof value === 'number') return `n${orderedNumber(value)}`
  return `s${beginning(value)}`
}

/**
 * For the attributes that are times: a date-time sorts by its instant, whatever its form and offset; any other value as
 * usual. The key is made from the value alone, so a date without a time counts as one here, whatever type it was sent with.
 */
export function timeSortKey(value: AttributeValue | undefined): string {
  const instant = typeof value === 'string' ? readDateTime(value) : undefined
  if (!instant) return sortKey(value)
  // Counted from a day before the year 0, so that it is never negative and always has the same number of digits.
  return `d${String(instant.milliseconds + 62_167_305_600_000).padStart(15, '0')}${beginning(instant.rest)}`
}

/** The beginning of a text, whole code points only. */
export function beginning(text: string): string {
  return text.length <= KEY_CHARACTERS
    ? text
    : Array.from(text.slice(0, 2 * KEY_CHARACTERS))
        .slice(0, KEY_CHARACTERS)
        .join('')
}

const view = new DataView(new ArrayBuffer(8))

/** The bits of a double, turned so that they compare like the number: flipped whole when negative, else only the sign. */
function orderedNumber(value: number): string {
  view.setFloat64(0, value === 0 ? 0 : value)
  const bits = view.getBigUint64(0)
  const ordered = value < 0 ? ~bits & 0xffff_ffff_ffff_ffffn : bits | 0x8000_0000_0000_0000n
  return ordered.toString(16).padStart(16, '0')
}
