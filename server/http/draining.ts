import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 20

/**
 * Takes no more connections, and waits for what is under way. The connections that are open stay so meanwhile: `close`
 * of an HTTP server would end those that are idle, and a request that is on its way there would break instead of being
 * told to try elsewhere.
 */
export async function drain(server: Server, isBusy: () => boolean): Promise<void> {
  Server.prototype.close.call(server)
  while (isBusy()) await sleep(LOOK_MS)
}
