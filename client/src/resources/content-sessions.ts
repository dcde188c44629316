import type { ExpandPath } from '../expand.ts'
import type { ClaimContent, ContentClaim, ContentSession, Deleted, Operations, ReportProgress } from '../generated.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type { ListQuery } from '../requests.ts'
import type { Transport } from '../transport.ts'

/** What of a session can be expanded, with paths below it such as `user.groups` and `version.questions`. */
export type ContentSessionExpansion =
  | 'answers'
  | 'content'
  | 'group'
  | 'receipt'
  | 'user'
  | 'version'
  | `content.${string}`
  | `version.${string}`
  | `group.${ExpandPath<'group', 3>}`
  | `user.${ExpandPath<'user', 3>}`

interface ExpandSession {
  expand?: readonly ContentSessionExpansion[] | undefined
}

/** `created_at: { gte, lt }` bounds when the sessions began. */
export type ListContentSessions = Omit<
  ListQuery<Operations['listContentSessions']['query'], 'sessions'>,
  'created_at[gte]' | 'created_at[lt]'
> &
  ExpandSession & {
    created_at?: { gte?: string | Date | undefined; lt?: string | Date | undefined } | undefined
  }

/** Shows content without the script: what a user was shown, how far the user came, and what was answered. */
export class ContentSessions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Gets the right to show a content to a user, or resumes the session that the user has of it. */
  claim(claim: ClaimContent, options: RequestOptions = {}): Promise<ContentClaim> {
    return this.#transport.request({ method: 'POST', path: '/content_sessions', body: claim }, options)
  }

  /** Stores what the user saw and did. What is stored already is ignored. */
  progress(
    id: string,
    progress: ReportProgress,
    { expand, ...options }: ExpandSession & RequestOptions = {},
  ): Promise<ContentSession> {
    const path = `${pathOf(id)}/progress`
    return this.#transport.request({ method: 'POST', path, query: { expand }, body: progress }, options)
  }

  retrieve(id: string, { expand, ...options }: ExpandSession & RequestOptions = {}): Promise<ContentSession> {
    return this.#transport.request({ method: 'GET', path: pathOf(id), query: { expand } }, options)
  }

  list(query: ListContentSessions = {}, options: RequestOptions = {}): List<ContentSession> {
    return new List(this.#transport, '/content_sessions', query, options)
  }

  end(id: string, { expand, ...options }: ExpandSession & RequestOptions = {}): Promise<ContentSession> {
    return this.#transport.request({ method: 'POST', path: `${pathOf(id)}/end`, query: { expand } }, options)
  }

  /** Deletes the session with its answers: it does not count any more. */
  delete(id: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.request({ method: 'DELETE', path: pathOf(id) }, options)
  }

  /** Deletes all sessions that a user has of a content, so that it is shown to the user again. */
  forget(query: Operations['forgetContentSessions']['query'], options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.request({ method: 'DELETE', path: '/content_sessions', query }, options)
  }
}

function pathOf(id: string): string {
  return `/content_sessions/${encodeURIComponent(id)}`
}
