import { dateTimeProblem, readDateTime } from '../../contract/datetime.ts'
import { TrackEvent, UpsertGroup, UpsertUser } from '../../contract/requests/objects.ts'
import { parseOperations } from '../attributes/operations.ts'
import { isoTime } from '../clock.ts'
import { ApiError, errors } from '../errors.ts'
import { eventJob } from '../events/routes.ts'
import { parseObject } from '../http/body.ts'
import { validator } from '../http/validation.ts'
import { hasInexact } from '../http/whole-numbers.ts'
import { isAssigned } from '../ids.ts'
import { writesGroups } from '../users/group-parts.ts'
import { userJob } from '../users/routes.ts'
import type { WriteJob } from '../writes/jobs.ts'
import { type CsvRow, csvRows } from './csv.ts'
import { csvColumns } from './csv-columns.ts'
import { type DefinitionLine, isDefinition, readDefinition } from './definition-lines.ts'
import { linesOf } from './lines.ts'

export type ImportKind = 'users' | 'groups' | 'events' | 'definitions' | 'all'
export type Format = 'ndjson' | 'csv'

interface Line {
  number: number
  /** The line of NDJSON, or what a row of CSV means. */
  source: Buffer | object
}

/** A validated object. An exported object keeps its creation time, and an event its id. */
export interface ObjectEntry extends Line {
  job: WriteJob
  createdAt: string | undefined
  eventId: string | undefined
}

export interface DefinitionEntry extends Line {
  definition: DefinitionLine
}

export type Entry = ObjectEntry | DefinitionEntry

export interface RejectedLine {
  line: number
  reason: string
  input: unknown
}

/** `bytes` is about how long the line is. */
export type Read = ({ entry: Entry } | { rejection: RejectedLine }) & { bytes: number }

interface Body extends Record<string, unknown> {
  object?: unknown
}

const validate = {
  user: validator(UpsertUser, 'body'),
  group: validator(UpsertGroup, 'body'),
  event: validator(TrackEvent, 'body'),
}

export interface RecordRules {
  kind: ImportKind
  /** Whether the plan of the account has groups. */
  groups: boolean
  planName: string
  /** Whether subscribers are notified. */
  notify: boolean
  /** The clock of the database: the time of events that have none. */
  now: () => number
}

/** All records of a source, each validated as by the API. They come many at a time: waiting for each took as long as its validation. */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  format: Format,
  rules: RecordRules,
): AsyncGenerator<Read[]> {
  if (format === 'ndjson') {
    for await (const lines of linesOf(chunks)) yield lines.map(({ number, bytes }) => readLine(number, bytes, rules))
    return
  }
  let toBody: ((row: CsvRow) => Record<string, unknown>) | undefined
  for await (const rows of csvRows(chunks)) {
    const records: Read[] = []
    for (const row of rows) {
      if (toBody) records.push(readRow(row, toBody, rules))
      else toBody = csvColumns(row)
    }
    yield records
  }
}

function readRow(row: CsvRow, toBody: (row: CsvRow) => Body, rules: RecordRules): Read {
  let body: Body | undefined
  const bytes = row.cells.reduce((sum, cell) => sum + cell.length, 0)
  try {
    body = toBody(row)
    return { entry: toEntry(row.number, body, undefined, rules), bytes }
  } catch (error) {
    return { rejection: { line: row.number, reason: reasonOf(error), input: body ?? row.cells }, bytes }
  }
}

function readLine(number: number, bytes: Buffer | undefined, rules: RecordRules): Read {
  if (!bytes) return { rejection: { line: number, reason: 'is longer than 1 MiB', input: null }, bytes: 0 }
  try {
    return { entry: toEntry(number, parseObject(bytes) as Body, bytes, rules), bytes: bytes.length }
  } catch (error) {
    return { rejection: { line: number, reason: reasonOf(error), input: inputOf(bytes) }, bytes: bytes.length }
  }
}

/** A refused line as it was read: parsed where nothing is lost by that, else its text. */
export function inputOf(source: Buffer | object): unknown {
  if (!Buffer.isBuffer(source)) return source
  const text = source.toString()
  try {
    return hasInexact(source) ? text : JSON.parse(text)
  } catch {
    return text
  }
}

function toEntry(number: number, given: Body, bytes: Buffer | undefined, rules: RecordRules): Entry {
  const object = objectOf(given, rules.kind)
  const source = bytes ?? given
  if (isDefinition(object)) return { number, definition: readDefinition(object, given), source }
  // A column of CSV is there because somebody wants it; a body may just be an object that was read.
  const isExported = typeof given.object === 'string' || bytes === undefined
  const createdAt = isExported ? createdAtOf(given) : undefined
  const eventId = isExported ? eventIdOf(given) : undefined
  return { number, job: toJob(object, given, bytes, rules), createdAt, eventId, source }
}

/**
 * An id of the future is not kept: the ids of later events are greater than all stored ones, so they would be of the
 * future too.
 */
function eventIdOf({ object, id }: Body): string | undefined {
  if (object !== 'event' || typeof id !== 'string') return undefined
  if (isAssigned(id)) return id
  throw errors.invalidParams([
    'id: must be the id of an exported event, a UUID of version 7 that is not of the future; leave out id and object to store a new event',
  ])
}

function toJob(
  object: string,
  given: Body,
  bytes: Buffer | undefined,
  { groups, planName, notify, now }: RecordRules,
): WriteJob {
  const body = object === 'group_membership' ? membershipBody(given) : given
  const noGroups = () => {
    if (!groups) throw errors.groupsNotAvailable(planName)
  }
  if (object === 'event') {
    validate.event(body, bytes)
    if (body.group_id) noGroups()
    return { ...eventJob(body as never, now(), notify), isOwn: true }
  }
  if (object === 'group') {
    validate.group(body, bytes)
    noGroups()
    return { kind: 'group', id: body.id as string, operations: parseOperations(body.attributes as never) }
  }
  validate.user(body, bytes)
  if (writesGroups(body as never)) noGroups()
  return userJob(body as never, notify)
}

const OBJECTS: Record<Exclude<ImportKind, 'all'>, readonly string[]> = {
  users: ['user', 'group_membership'],
  groups: ['group'],
  events: ['event'],
  definitions: ['attribute_definition', 'event_definition'],
}

/** An exported line has its `object`. Other lines are of the kind of the command. */
function objectOf({ object }: Body, kind: ImportKind): string {
  const allowed = kind === 'all' ? Object.values(OBJECTS).flat() : OBJECTS[kind]
  if (object === undefined && kind !== 'all') return allowed[0] as string
  if (allowed.includes(object as string)) return object as string
  throw errors.invalidParams([`object: must be ${allowed.join(' or ')} to be imported here`])
}

/** The API writes memberships through their user. */
function membershipBody({ user_id, group_id, attributes }: Body): Body {
  return { id: user_id, memberships: [{ group_id, attributes }] }
}

/** In any form that the `time` of an event may have. One that cannot be read is refused: it cannot be changed later. */
function createdAtOf({ created_at: given }: Body): string | undefined {
  if (given === undefined || given === null) return undefined
  const instant = typeof given === 'string' ? readDateTime(given) : undefined
  if (instant) return isoTime(instant.milliseconds)
  throw errors.invalidParams([`created_at: ${dateTimeProblem(String(given))}`])
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  throw error
}
