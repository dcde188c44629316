import { errors } from '../errors.ts'
import type { Exchange } from './exchange.ts'

/** What answers at a path. */
export interface Endpoint {
  /** Whether it may be asked over plain HTTP from anywhere. */
  readonly isOpen?: boolean
  /** Counts and logs, when the answer is out. */
  readonly observe?: (exchange: Exchange) => void
  /** Sends the answer, or throws what went wrong. */
  answer(exchange: Exchange): void | Promise<void>
}

type Methods = Map<string, Endpoint>

/** Finds what answers. A path is fixed, or fixed but for an id at its end: `/users` and `/users/:user_id`. */
export class Router {
  readonly #exact = new Map<string, Methods>()
  /** By what stands before the id: `/users/`. */
  readonly #parents = new Map<string, Methods>()

  readonly #observeUnknown: (exchange: Exchange) => void

  constructor(observeUnknown: (exchange: Exchange) => void) {
    this.#observeUnknown = observeUnknown
  }

  add(method: string, path: string, endpoint: Endpoint): void {
    const placeholder = path.indexOf(':')
    const [table, key] = placeholder < 0 ? [this.#exact, path] : [this.#parents, path.slice(0, placeholder)]
    const methods = table.get(key) ?? new Map<string, Endpoint>()
    table.set(key, methods.set(method, endpoint))
    if (method === 'GET') methods.set('HEAD', endpoint)
  }

  /** Of a path that nobody knows, or a method that it does not have, an endpoint that says so. */
  find(exchange: Exchange): Endpoint {
    const path = pathOf(exchange.url)
    const methods = this.#exact.get(path) ?? this.#look(exchange, path)
    return methods?.get(exchange.method) ?? this.#refusal(path, methods)
  }

  #look(exchange: Exchange, path: string): Methods | undefined {
    const end = path.lastIndexOf('/') + 1
    const [parent, last] = [decode(path.slice(0, end)), decode(path.slice(end))]
    if (parent === undefined || last === undefined) return undefined
    const methods = this.#parents.get(parent)
    if (methods) exchange.parameter = last
    return methods ?? this.#exact.get(parent + last)
  }

  #refusal(path: string, methods: Methods | undefined): Endpoint {
    const answer = ({ method }: Exchange) => {
      if (decode(path) === undefined) throw errors.invalidParams(['The path is not valid: percent-encode it'])
      if (methods) throw errors.methodNotAllowed(method, [...methods.keys()].sort().join(', '))
      throw errors.unknownUrl(method, path.slice(0, 200))
    }
    return { answer, observe: this.#observeUnknown }
  }
}

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

/** Nothing when it is not percent-encoded as it should be. */
function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
