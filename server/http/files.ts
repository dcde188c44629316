import sirv from 'sirv'
import type { Exchange } from './exchange.ts'
import { pathOf } from './router.ts'

/** Of files with a hash in their names, which never change. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'

export interface FileOptions {
  /** What stands before the name of a file in an address. */
  prefix: string
  /** The headers of the file at this path, which begins with a slash. */
  headers(path: string): Readonly<Record<string, string>>
  /** Files with `.br` beside them are sent compressed. */
  hasBrotli?: boolean
}

type Look = (path: string, otherwise: () => void) => void

/** Answers with a file, or calls `otherwise` with the path without its prefix, and with a function that looks for another one. */
export type ServeFile = (exchange: Exchange, otherwise: (path: string, look: Look) => void) => void

/** The files of a folder, as they are at the first request. */
export function fileServer(folder: string, { prefix, headers, hasBrotli = false }: FileOptions): ServeFile {
  const files = sirv(folder, {
    etag: true,
    brotli: hasBrotli,
    setHeaders: (response, path) => {
      for (const [name, value] of Object.entries(headers(path))) response.setHeader(name, value)
    },
  })
  return (exchange, otherwise) => {
    const { request, response } = exchange
    const { url } = request
    const path = pathOf(url as string).slice(prefix.length)
    exchange.handHeaders()
    // Files are looked up without the prefix, synchronously.
    const look: Look = (at, orElse) => {
      request.url = at
      files(request, response, orElse)
    }
    // A file that was removed since the start, as by an upgrade in place: the browser sees a failed load and not a hang.
    response.once('pipe', (file) => file.once('error', () => response.destroy()))
    look(path, () => otherwise(path, look))
    request.url = url
  }
}
