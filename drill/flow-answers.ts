/** What pages were answered about one session: the last report that was acknowledged, and the answer that was given. */
export interface AcknowledgedSession {
  userId: string
  content: string
  sequence: number
  ease: number | undefined
}

/** What pages were answered about their sessions. The audit compares it with what is stored. */
export class FlowAnswers {
  /** By the session. */
  readonly sessions = new Map<string, AcknowledgedSession>()
  decisions = 0
  /** Sessions that a second browser has taken over. */
  resumed = 0
  /** Events that an open stream has told its page about. */
  hints = 0

  acknowledge(id: string, session: AcknowledgedSession): void {
    this.sessions.set(id, session)
  }
}
