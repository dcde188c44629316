import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 20

/**
 * Takes no more connections, and waits for what is under way. The connections that are open stay so meanwhile: `close`
 * of an HTTP server would end those that are idle, and a request that is on its way there would break instead of being
 * answered.
 */
export async function closeWhenIdle(server: HttpServer, isBusy: () => boolean): Promise<void> {
  if (!server.listening) return
  let open = true
  const closed = once(server, 'close').then(() => {
    open = false
  })
  Server.prototype.close.call(server)
  while (isBusy()) await sleep(LOOK_MS)
  // Also those that become idle from now on: half a request may still be under way somewhere.
  while (open) {
    server.closeIdleConnections()
    await Promise.race([closed, sleep(LOOK_MS)])
  }
}
