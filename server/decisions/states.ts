import type { EnvironmentId, Queryable } from '../database/database.ts'

/**
 * What all sessions of a user and a content come to. Previews do not count, and neither do sessions from before the
 * content's `counts_from`. Times are milliseconds since 1970.
 */
export interface ContentState {
  contentId: string
  /** How many sessions there were: a session begins when its first step is seen. */
  started: number
  firstStartedAt: number | null
  lastStartedAt: number | null
  /** The last time that it was completed. */
  completedAt: number | null
  dismissedAt: number | null
  /** When the last session ended, however it did. */
  lastEndedAt: number | null
  active: ActiveSession | null
}

export interface ActiveSession {
  id: string
  versionId: string
  /** The browser that shows it; null when nobody holds it. */
  holder: string | null
  leaseUntil: number | null
}

/** The states of a user. Content that the user has not seen has none. */
export async function findContentStates(
  _db: Queryable,
  _environmentId: EnvironmentId,
  _userId: string,
): Promise<ContentState[]> {
  return []
}
