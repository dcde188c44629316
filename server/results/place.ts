import { GREATEST_ID } from '../ids.ts'

/** Where a page of runs or answers goes on: before this one. The newest are first. */
export interface Place {
  at: string
  id: string
}

/** For a comparison with (created_at, id): without a place, after everything. */
export function placeValues(place: Place | undefined): [at: string, id: string] {
  return [place?.at ?? 'infinity', place?.id ?? GREATEST_ID]
}

/** Which rows are of the content in `$2` and, with a version, of that in `$4`. */
export function ofContent(row: string, versionId: string | undefined): string {
  return `${row}.content_id = $2::uuid${versionId === undefined ? '' : ` and ${row}.version_id = $4::uuid`}`
}

/** The first day of all, for PostgreSQL. */
export const ALL_TIME = '-infinity'
