import type { ContentType } from '../../contract/content/document.ts'
import type { AnswerValue, EndReason, SessionState } from '../../contract/sdk/protocol.ts'
import type { ClaimState } from './states.ts'

/** The rows of the history of a user. Times are milliseconds since 1970, by the clock of the database. */

const startReasons = ['auto', 'manual'] as const
export type StartReason = (typeof startReasons)[number]

export interface ClaimRow {
  /** Also that of its session. */
  readonly id: string
  readonly userId: string
  readonly contentId: string
  readonly versionId: string
  readonly type: ContentType
  readonly groupId: string | null
  readonly holder: string
  readonly epoch: number
  /** Of the last report that is stored. */
  readonly sequence: number
  readonly state: ClaimState
  readonly reason: StartReason
  readonly leaseUntil: number
  readonly hiddenAt: number | null
  /** Of a new claim. Of others it is not read, and stays until it moves to the session. */
  readonly receiptJson: string | null
  readonly createdAt: number
  /** Its publisher let it end. Not stored with it. */
  readonly isOver: boolean
}

export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly contentId: string
  readonly versionId: string
  readonly type: ContentType
  readonly groupId: string | null
  readonly state: SessionState
  readonly reason: StartReason
  /** The key of the step that was seen last. */
  readonly step: string | null
  /** The keys of the steps that were seen, each once. */
  readonly steps: readonly string[]
  /** `2/5`: the number of the last step, or of completed tasks, and how many there are. */
  readonly progress: string | null
  /** The keys of the completed tasks. */
  readonly tasks: readonly string[]
  readonly epoch: number
  readonly sequence: number
  readonly launcherActivated: boolean
  readonly counts: boolean
  readonly createdAt: number
  readonly lastActivityAt: number
  readonly completedAt: number | null
  readonly endedAt: number | null
  readonly endReason: EndReason | null
  /** Only of a session that is as new as its claim. That of others moves in the database, and is not read again. */
  readonly receiptJson: string | null
  /** Open, and its publisher let it end: why. Not stored with it. */
  readonly overBecause: EndReason | null
  /** Of its content and version, for the events. Not stored with it. */
  readonly contentName: string
  readonly versionNumber: number
}

/** What all sessions of a user and a content come to, with what `counts_from` and its like have made of it. */
export interface StateRow {
  readonly contentId: string
  readonly type: ContentType
  readonly started: number
  readonly firstStartedAt: number | null
  readonly lastStartedAt: number | null
  readonly previousStartedAt: number | null
  readonly completedAt: number | null
  readonly dismissedAt: number | null
  readonly lastEndedAt: number | null
  readonly activeSessionId: string | null
  readonly missingAt: number | null
  readonly missingVersionId: string | null
}

export interface AnswerRow {
  readonly id: string
  readonly sessionId: string
  readonly contentId: string
  readonly versionId: string
  /** Its key: the same question in every version. */
  readonly question: string
  readonly name: string
  readonly value: AnswerValue
  readonly epoch: number
  readonly sequence: number
  readonly createdAt: number
}
