import { hash, randomBytes } from 'node:crypto'
import { DAY_MS } from '../contract/units.ts'

/** The ids that the service assigns. They are made here and not by PostgreSQL, so that a retried statement has the same ids. */

/** The ids of a batch that waits for its commit have a time of some seconds ago. */
const FAR_AHEAD_MS = 60_000

/** The last 18 characters of many ids: making them for each id took longer than all the rest. */
let endings = ''
let used = 0
const ENDING_LENGTH = 18
const ENDINGS = 256
let lastMs = 0
/** The time of the last id, as it is written in it. */
let prefix = ''
let sequence = 0
/** No id has an earlier time than this, whatever the clock shows (`continueIdsAfter`). */
let floorMs = 0

/**
 * UUID v7: 48 bits of time, then a counter that keeps the ids of one millisecond in order, then randomness.
 * Ids that grow keep the indexes on them dense. A last time that is far ahead was of a wrong clock, and is not continued.
 */
export function newId(now = Date.now()): string {
  const ms = Math.max(now, floorMs)
  if (lastMs - ms > FAR_AHEAD_MS) lastMs = 0
  if (ms > lastMs || sequence === 0xfff) {
    lastMs = Math.max(ms, lastMs + 1)
    prefix = timeDigits(lastMs)
    sequence = 0
  } else {
    sequence += 1
  }
  if (used === endings.length) {
    endings = randomEndings()
    used = 0
  }
  used += ENDING_LENGTH
  // The version is the first digit of the third part.
  return `${prefix}-${(0x7000 + sequence).toString(16)}${endings.slice(used - ENDING_LENGTH, used)}`
}

/** Such as `-a1b2-0123456789ab`: the variant, and 60 random bits. */
function randomEndings(): string {
  return randomBytes((ENDINGS * 15) / 2)
    .toString('hex')
    .replace(/(...)(.{12})/g, '-a$1-$2')
}

function timeDigits(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** The least UUID v7 of a time: everything made earlier sorts before it. */
export function leastIdAt(ms: number): string {
  return `${timeDigits(Math.max(0, Math.floor(ms)))}-0000-0000-000000000000`
}

/** Every other id sorts after it, and nothing has it. */
export const LEAST_ID = '00000000-0000-0000-0000-000000000000'
/** Every other id sorts before it, and nothing has it. */
export const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text is a UUID. All ids that the service assigns are UUIDs. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** An id as it is stored: some write UUIDs in upper case. What is no UUID stays as it is. */
export function storedId(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id
}

const MOST_AHEAD_MS = DAY_MS

/** Whether a node can have assigned this id: a UUID v7 whose time is not in the future, or only by as much as clocks differ. */
export function isAssigned(id: string, now = Date.now()): boolean {
  return isUuid(id) && id[14] === '7' && timeOfId(id) <= now + MOST_AHEAD_MS
}

/** The time of a UUID v7, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** All further ids are greater than this one, which a node with a fast clock may have made. */
export function continueIdsAfter(id: string): void {
  floorMs = Math.max(floorMs, timeOfId(id) + 1)
}

const NAMESPACE = Buffer.from('6f1d1a1e7f0c4f0e9a53c4b7e2d8a911', 'hex')

/** UUID v5 of environment, user and group: deleting a membership that never existed answers the same id as deleting one that did. */
export function membershipId(environmentId: number, userId: string, groupId: string): string {
  return derivedId(String(environmentId), userId, groupId)
}

/** UUID v5 of some texts: the same id for the same texts, without storing it. */
export function derivedId(...parts: readonly string[]): string {
  const digest = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(parts.join('\0'))]), 'buffer')
  digest[6] = ((digest[6] as number) & 0x0f) | 0x50
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80
  const text = digest.toString('hex', 0, 16)
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}
