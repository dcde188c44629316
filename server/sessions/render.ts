import type { SessionState } from '../../contract/sdk/protocol.ts'
import { isoTime } from '../clock.ts'
import type { ClaimRow, SessionRow } from '../history/rows.ts'
import { quote } from '../objects/render.ts'

/** What of a session can be expanded, in the order of the answer. */
const expandable = ['answers', 'content', 'group', 'receipt', 'user', 'version'] as const

/** A session as it is read, with the JSON text of what is expanded. Times are in ISO 8601. */
export interface ShownSession {
  id: string
  content_id: string
  version_id: string
  user_id: string
  group_id: string | null
  state: string
  progress: string | null
  launcher_activated: boolean
  created_at: string
  last_activity_at: string | null
  completed_at: string | null
  ended_at: string | null
  end_reason: string | null
}

/** The JSON texts of what is expanded. */
export type ExpandedTexts = Partial<Record<(typeof expandable)[number], string | null>>

export function renderSession(row: ShownSession, expanded: ExpandedTexts): string {
  // A preview stores nothing (S-PREVIEW).
  const own = `{"id":"${row.id}","object":"content_session","completed":${row.completed_at !== null},"completed_at":${quote(row.completed_at)},"content_id":"${row.content_id}","created_at":"${row.created_at}","end_reason":${quote(row.end_reason)},"ended_at":${quote(row.ended_at)},"group_id":${quote(row.group_id)},"is_preview":false,"last_activity_at":${quote(row.last_activity_at)},"launcher_activated":${row.launcher_activated},"progress":${quote(row.progress)},"state":"${row.state}","user_id":${quote(row.user_id)},"version_id":"${row.version_id}"`
  if (expanded === NOTHING_EXPANDED) return `${own},${NOTHING_TEXT}}`
  return `${own},${expandedText(expanded)}}`
}

function expandedText(expanded: ExpandedTexts): string {
  return expandable.map((name) => `"${name}":${expanded[name] ?? 'null'}`).join(',')
}

export const NOTHING_EXPANDED: ExpandedTexts = {}
const NOTHING_TEXT = expandedText(NOTHING_EXPANDED)

/** A rendered session with what is expanded. The quotes inside of texts are escaped, so this text is there once. */
export function expandText(rendered: string, expanded: ExpandedTexts): string {
  return rendered.replace(NOTHING_TEXT, () => expandedText(expanded))
}

/** A session right after a write. */
export function renderSessionRow(session: SessionRow): string {
  const { id, contentId, versionId, userId, groupId, state, progress, launcherActivated } = session
  const time = (ms: number | null) => (ms === null ? null : isoTime(ms))
  const row = {
    ...{ id, content_id: contentId, version_id: versionId, user_id: userId, group_id: groupId, state, progress },
    ...{ launcher_activated: launcherActivated, end_reason: session.endReason },
    created_at: isoTime(session.createdAt),
    last_activity_at: time(session.lastActivityAt),
    completed_at: time(session.completedAt),
    ended_at: time(session.endedAt),
  }
  return renderSession(row, NOTHING_EXPANDED)
}

/** A claim of which nothing was seen, as a session that has not begun. */
export function renderClaim(claim: ClaimRow, state: SessionState): string {
  const { id, contentId, versionId, userId, groupId, createdAt } = claim
  const row = {
    ...{ id, content_id: contentId, version_id: versionId, user_id: userId, group_id: groupId, state },
    ...{ progress: null, launcher_activated: false, created_at: isoTime(createdAt) },
    ...{ last_activity_at: null, completed_at: null, ended_at: null, end_reason: null },
  }
  return renderSession(row, NOTHING_EXPANDED)
}
