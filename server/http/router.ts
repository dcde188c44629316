import findMyWay from 'find-my-way'
import { errors } from '../errors.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Exchange } from './exchange.ts'

/** What answers at a path. */
export interface Endpoint {
  /** Whether it may be asked over plain HTTP from anywhere. */
  readonly isOpen?: boolean
  /** Counts and logs, when the answer is out. */
  readonly observe?: ((exchange: Exchange) => void) | undefined
  /** Lets a caller in, or throws why not. A caller who is not let in is not told which methods a path has. */
  readonly guard?: (exchange: Exchange) => MaybePromise<unknown>
  /** Sends the answer, or throws what went wrong. */
  answer(exchange: Exchange): MaybePromise<void>
}

/** The guard and the observer of paths that do not exist. */
export type UnknownEndpoint = Pick<Endpoint, 'guard' | 'observe'>

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Finds what answers at a path of any shape, such as `/users/:user_id/events`; `*` at the end of a path is any rest. One
 * trailing slash is the same as none. A look-up takes 0.15 to 0.45 µs; the two maps that it replaces took 0.09 to 0.47 µs.
 */
export class Router {
  readonly #routes = findMyWay({
    ignoreTrailingSlash: true,
    // Longer than any request line: what is wrong with a long id is said by its schema.
    maxParamLength: 1_000_000,
    // The query is read where its schema is known.
    querystringParser: () => undefined,
  })
  readonly #methods = new Set<Method | 'HEAD'>()
  readonly #unknown: UnknownEndpoint

  constructor(unknown: UnknownEndpoint = {}) {
    this.#unknown = unknown
  }

  add(method: Method, path: string, endpoint: Endpoint): void {
    for (const one of method === 'GET' ? (['GET', 'HEAD'] as const) : [method]) {
      this.#routes.on(one, path, notCalled, endpoint)
      this.#methods.add(one)
    }
  }

  /** Sets `params`. Of a path that nobody knows, or a method that it does not have, an endpoint that says so. */
  find(exchange: Exchange): Endpoint {
    const found = this.#look(exchange.method as Method, exchange.url)
    if (!found) return this.#refusal(exchange)
    exchange.params = found.params as Record<string, string>
    return found.store
  }

  #look(method: Method | 'HEAD', url: string) {
    const found = this.#routes.find(method, url)
    if (!found) return null
    for (const name in found.params) {
      if (found.params[name] === '' && (name !== '*' || pathOf(url).endsWith('//'))) return null
    }
    return found
  }

  #refusal({ url, method }: Exchange): Endpoint {
    const path = pathOf(url)
    const others = [...this.#methods].flatMap((other) => {
      const found = this.#look(other, url)
      return found ? [{ method: other, endpoint: found.store as Endpoint }] : []
    })
    const problem = () => {
      if (!isDecodable(path)) return errors.invalidParams(['The path is not valid: percent-encode it'])
      if (others.length === 0) return errors.unknownUrl(method, path.slice(0, 200))
      return errors.methodNotAllowed(
        method,
        others
          .map((other) => other.method)
          .sort()
          .join(', '),
      )
    }
    const { guard } = others[0]?.endpoint ?? this.#unknown
    const answer = async (exchange: Exchange) => {
      await guard?.(exchange)
      throw problem()
    }
    return { answer, observe: this.#unknown.observe }
  }
}

/** `find-my-way` wants a handler for each route; we take the endpoint from its store. */
function notCalled(): void {}

/** Without the query. A proxy may send the whole address, and everybody has to understand that. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*\//i, '/')
}

/** The text after the question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const end = url.indexOf('#', start)
  return end < 0 ? url.slice(start + 1) : url.slice(start + 1, end)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
