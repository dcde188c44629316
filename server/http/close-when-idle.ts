import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SilentConnections } from './silent-connections.ts'

const CHECK_MS = 20
/** Who connects for a request sends it at once. */
const SILENT_MS = 2_000

/**
 * Accepts no more connections, and waits for requests under way. Open connections stay open meanwhile: `close` of an HTTP
 * server would end idle ones, and a request that is just being sent on one would fail.
 */
export async function closeWhenIdle(
  server: HttpServer,
  silent: SilentConnections,
  isBusy: () => boolean,
  silentMs = SILENT_MS,
): Promise<void> {
  if (!server.listening) return
  let open = true
  const closed = once(server, 'close').then(() => {
    open = false
  })
  Server.prototype.close.call(server)
  const since = performance.now()
  while (isBusy()) await sleep(CHECK_MS)
  // Also connections that become idle from now on: a request may be half received.
  while (open) {
    server.closeIdleConnections()
    if (performance.now() - since >= silentMs) silent.destroy()
    await Promise.race([closed, sleep(CHECK_MS)])
  }
}
