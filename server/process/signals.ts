import { closeSync, openSync } from 'node:fs'
import { type Log, ON_TERMINAL } from '../log.ts'
import type { Config } from '../settings/config.ts'

const PARENT_CHECK_MS = 1_000

/** The signals while the server starts; afterwards `onSignals` listens to them. */
export interface Starting {
  readonly signal: AbortSignal
  release(): void
}

export interface Signalled {
  stop(): Promise<void>
  reloadCertificate(): Promise<void>
  /** Called by a second signal. */
  endNow(): void
}

/**
 * A terminal sends ^C to npm and to this process, and npm forwards it: what comes so soon after the first is its echo, and no
 * second one. Taken for a second one it ended the server at once, and left its PostgreSQL running.
 */
const ECHO_MS = 2_000

/** Longer than a stop takes (`FINISH_MS` in node.ts). */
const STOP_MS = 30_000

/**
 * SIGTERM and SIGINT stop in order, a second one at once (under npm, one that is no echo). So does an error that nothing has caught, with exit code 1: what a
 * half-done step has left behind is not known, and another process starts anew. SIGHUP reloads the certificate, if there is one:
 * `systemctl reload` sends it in either case. A server whose terminal was closed stops on SIGHUP. The listeners of the start are
 * removed last: without any listener for a moment, a signal that has arrived and is not handled yet would be lost.
 */
export function onSignals(
  starting: Starting,
  log: Log,
  { tls, underNpm, shutdownDelayMs }: Pick<Config, 'tls' | 'underNpm' | 'shutdownDelayMs'>,
  { stop, reloadCertificate, endNow }: Signalled,
): void {
  const hadTerminal = hasTerminal()
  let stopping = false
  let firstAt = 0
  const isEcho = () => underNpm && performance.now() - firstAt < ECHO_MS
  const end = (signal: string) => {
    if (stopping) return isEcho() ? undefined : endNow()
    firstAt = performance.now()
    // After the ^C that the terminal shows.
    if (ON_TERMINAL && signal === 'SIGINT') process.stdout.write('\n')
    const delay = shutdownDelayMs > 0 ? `in ${shutdownDelayMs / 1_000} s, while load balancers go elsewhere; ` : ''
    log.info({ signal }, `stopping … ${delay}active requests are finished first`)
    stopWith(0)
  }
  const stopWith = (code: number) => {
    stopping = true
    stop().then(
      () => process.exit(code),
      (error) => {
        log.error({ err: error }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('uncaughtException', (error, origin) => {
    log.error({ err: error, origin }, 'an unexpected error; the server stops')
    if (stopping) return
    setTimeout(() => process.exit(1), STOP_MS).unref()
    stopWith(1)
  })
  if (underNpm) onEndOfParent(() => !stopping && end('the end of npm'))
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('SIGHUP', () => {
    if (hadTerminal && !hasTerminal()) return end('SIGHUP')
    if (!tls) return log.info({ signal: 'SIGHUP' }, 'there is no certificate to reload; nothing is changed')
    reloadCertificate().catch((error) =>
      log.error({ err: error }, 'the certificate could not be read; the old one stays'),
    )
  })
  starting.release()
}

/** npm sends SIGTERM and SIGINT to its shell, which may end without forwarding them. The server would keep running. */
function onEndOfParent(end: () => unknown): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, PARENT_CHECK_MS).unref()
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
