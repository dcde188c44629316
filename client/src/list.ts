import { UsherError } from './errors.ts'
import type { RequestOptions } from './options.ts'
import type { Transport } from './transport.ts'

/** One page of a list, as the server answers it. */
export interface Page<T> {
  readonly object: 'list'
  readonly data: T[]
  readonly has_more: boolean
  readonly url: string
  readonly next_page_url: string
}

/**
 * A list that is not requested yet. `await` it for its first page, or iterate over it with `for await`, which requests one
 * page after the other.
 */
export class List<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #transport: Transport
  readonly #path: string
  readonly #query: object
  readonly #options: RequestOptions

  constructor(transport: Transport, path: string, query: object, options: RequestOptions) {
    this.#transport = transport
    this.#path = path
    this.#query = query
    this.#options = options
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page, as other clients do it
  then<A = Page<T>, B = never>(
    resolve?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    reject?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#page(this.#query).then(resolve, reject)
  }

  /** For a first page that fails, as with a promise. */
  catch<B>(reject: (error: unknown) => B | PromiseLike<B>): Promise<Page<T> | B> {
    return this.then(undefined, reject)
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page = await this.#page(this.#query)
    // A server that sends the same pages again and again is found by comparing with one of them: the 1st, 2nd, 4th, 8th …
    let compared: string | undefined
    for (let [count, nextCompared] = [1, 1]; ; count += 1) {
      yield page
      if (!page.has_more) return
      const after = pageAfter(page)
      if (after === compared) throw new UsherError(`${this.#path}: the server sends the same pages of the list again`)
      if (count === nextCompared) [compared, nextCompared] = [after, nextCompared * 2]
      page = await this.#page(after)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const { signal } = this.#options
    for await (const page of this.pages()) {
      for (const item of page.data) {
        signal?.throwIfAborted()
        yield item
      }
    }
  }

  /** All objects, or an error when there are more than `limit`. */
  async toArray({ limit }: { limit: number }): Promise<T[]> {
    const items: T[] = []
    for await (const item of this) {
      if (items.length >= limit) throw new RangeError(`The list has more than ${limit} objects.`)
      items.push(item)
    }
    return items
  }

  #page(query: object | string): Promise<Page<T>> {
    return this.#transport.request<Page<T>>({ method: 'GET', path: this.#path, query }, this.#options)
  }
}

/** Only the query of the URL is used, so that the key is sent to the configured server only. */
function pageAfter(page: Page<unknown>): string {
  return new URL(page.next_page_url, 'http://server').search
}
