import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveMessage } from '../../../contract/dashboard/live.ts'
import { listKeysOf } from '../../accounts/key-queries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import type { Live, WatchingMember } from '../../live/live.ts'
import { findSession } from '../../members/session-queries.ts'
import { hashToken } from '../../members/tokens.ts'
import { Every } from '../../rounds/every.ts'
import { environmentsShownWith } from './environments.ts'

const TAKE_MS = 250
/** Shorter than the idle timeouts of this server and of proxies. */
const HEARTBEAT_MS = 5_000

export interface StreamParts {
  database: Database
  live: Live
  environmentId: EnvironmentId
  environments: readonly EnvironmentId[]
  member: WatchingMember
  token: string
  signal: AbortSignal
}

/**
 * The server-sent events of one browser: new requests, four times a second, until it disconnects, its session ends, or others
 * are to be shown.
 */
export async function* liveStream(parts: StreamParts): AsyncGenerator<string> {
  const { database, live, environments, member, token, signal } = parts
  const watch = live.watch(environments, member)
  if (!watch) return
  const names = new KeyNames(database, parts.environmentId)
  const beat = new Every(HEARTBEAT_MS)
  try {
    yield 'retry: 2000\n\n'
    yield event(await names.fill(watch.take() ?? { at: new Date().toISOString(), requests: [], left_out: 0 }))
    while (!signal.aborted) {
      const message = watch.take()
      if (message) yield event(await names.fill(message))
      if (beat.isDue()) {
        if (!(await findSession(database, hashToken(token), new Date().toISOString()))) return
        // The browser connects again, and is shown what it may see now.
        if ((await environmentsShownWith(database, parts.environmentId)).length !== environments.length) return
        yield ': still here\n\n'
      }
      await sleep(TAKE_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    watch.stop()
  }
}

function event(message: LiveMessage): string {
  return `data: ${JSON.stringify(message)}\n\n`
}

const REREAD_MS = 5_000

/** The names of keys, read when one is not known. */
class KeyNames {
  readonly #database: Database
  readonly #environmentId: EnvironmentId
  #names = new Map<number, string>()
  readonly #reread = new Every(REREAD_MS)

  constructor(database: Database, environmentId: EnvironmentId) {
    this.#database = database
    this.#environmentId = environmentId
  }

  async fill(message: LiveMessage): Promise<LiveMessage> {
    const ids = new Set(message.requests.map(({ key_id }) => key_id))
    if ([...ids].some((id) => id !== null && !this.#names.has(id))) await this.#read()
    const requests = message.requests.map((request) => ({ ...request, key_name: this.nameOf(request.key_id) }))
    return { ...message, requests }
  }

  nameOf(id: number | null): string | null {
    return id === null ? null : (this.#names.get(id) ?? null)
  }

  async #read(): Promise<void> {
    if (!this.#reread.isDue()) return
    const keys = await listKeysOf(this.#database, this.#environmentId)
    this.#names = new Map(keys.map(({ id, name }) => [id, name]))
  }
}
