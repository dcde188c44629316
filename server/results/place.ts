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

/** The first day of all, for PostgreSQL. */
export const ALL_TIME = '-infinity'
