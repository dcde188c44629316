import { createServer } from 'node:net'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'
import type { App } from './app.ts'

/** Checks the port before anything is started. */
export async function checkPort({ host, port }: Config): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(portProblem(error, host, port)))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

/**
 * Each worker listens on the port itself, and the system distributes the connections. In the default mode of node's cluster
 * the first process accepts connections and hands them over; a connection that is handed to a dying worker is lost, and
 * its client waits forever. Linux only.
 */
export async function listen(app: App, { host, port, workers }: Config): Promise<void> {
  const reusePort = workers > 1 && process.platform === 'linux'
  try {
    await app.listen({ host, port, ...(reusePort && { reusePort }) })
  } catch (error) {
    throw portProblem(error as Error, host, port)
  }
}

function portProblem(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new StartupError(`Port ${port} on ${host} is in use: stop what uses it, or set PORT to another.`)
  if (error.code === 'EACCES') return new StartupError(`Port ${port} needs more rights: set PORT to one above 1023.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new StartupError(`HOST=${host} is not an address of this machine.`)
  return error
}
