/** What pages were answered about their sessions. The audit compares it with what is stored. */
export class FlowAnswers {
  /** By the session. */
  readonly sessions = new Map<string, { userId: string; sequence: number; ease: number | undefined }>()
  decisions = 0

  acknowledge(id: string, userId: string, sequence: number, ease: number | undefined): void {
    this.sessions.set(id, { userId, sequence, ease })
  }
}
