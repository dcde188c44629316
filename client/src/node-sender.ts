import { lateError, type Sender, type WireAnswer } from './sender.ts'

/**
 * By `node:http`, where it is: a request costs a third of the CPU of one by Node's `fetch`. It is asked for at run time
 * and its types are written here, so that the client needs neither Node nor its types.
 */
export function nodeSender(baseUrl: string): Sender | undefined {
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  const http = builtIn(protocol === 'https:' ? 'node:https' : 'node:http')
  if (!http) return undefined
  const agent = new http.Agent({ keepAlive: true, scheduling: 'lifo', timeout: IDLE_MS })
  const prefix = pathname === '/' ? '' : pathname
  const address = { agent, hostname: hostname.replace(/^\[|\]$/g, ''), port: port || undefined }
  return (request) =>
    new Promise((resolve, reject) => {
      const { method, path, headers, body, timeoutMs, signal } = request
      const outgoing = http.request({ ...address, path: prefix + path, method, headers }, (incoming) => {
        read(incoming).then((answer) => finish(() => resolve(answer)), fail)
      })
      const finish = (end: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        end()
      }
      const fail = (error: unknown) => finish(() => reject(error))
      const giveUp = (reason: unknown) => {
        fail(reason)
        outgoing.destroy()
      }
      const onAbort = () => giveUp(signal?.reason)
      const timer = setTimeout(() => giveUp(lateError(request)), timeoutMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      outgoing.on('error', fail)
      outgoing.end(body)
    })
}

/** Less than the 65 s after which a server closes a connection between two requests. */
const IDLE_MS = 30_000

async function read(incoming: Incoming): Promise<WireAnswer> {
  const { statusCode: status = 0, headers } = incoming
  const text = await new Promise<string>((resolve, reject) => {
    let whole = ''
    incoming.setEncoding('utf8')
    incoming.on('data', (part) => {
      whole += part
    })
    incoming.on('end', () => resolve(whole))
    incoming.on('error', reject)
  })
  return { status, header: (name) => headers[name]?.toString() ?? null, text }
}

interface Incoming {
  statusCode?: number
  headers: Record<string, string | string[] | undefined>
  setEncoding(encoding: string): void
  on(name: 'data', listener: (part: string) => void): void
  on(name: 'end', listener: () => void): void
  on(name: 'error', listener: (error: unknown) => void): void
}
interface Outgoing {
  on(name: 'error', listener: (error: unknown) => void): void
  end(body: string | undefined): void
  destroy(): void
}
interface Http {
  Agent: new (options: object) => object
  request(options: object, onAnswer: (incoming: Incoming) => void): Outgoing
}
interface Process {
  release?: { name?: string }
  versions?: Record<string, string>
  getBuiltinModule?: (name: string) => unknown
}

/** Bun, Deno and edge runtimes pass for Node in part; their own `fetch` is the quicker way there. */
function builtIn(name: string): Http | undefined {
  const { process } = globalThis as { process?: Process }
  const isNode = process?.release?.name === 'node' && !process.versions?.bun && !process.versions?.deno
  return isNode && !('EdgeRuntime' in globalThis) && !('WebSocketPair' in globalThis)
    ? (process.getBuiltinModule?.(name) as Http | undefined)
    : undefined
}
