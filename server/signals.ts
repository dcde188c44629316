import type { Log } from './log.ts'

export interface Signalled {
  stop(): Promise<void>
  reloadCertificate(): Promise<void>
  /** What a second signal does, when the first is taking too long. */
  endNow(): void
}

/** SIGTERM and SIGINT stop in good order, a second one at once; SIGHUP reads the certificate again. */
export function onSignals(log: Log, { stop, reloadCertificate, endNow }: Signalled): void {
  let stopping = false
  const end = () => {
    if (stopping) return endNow()
    stopping = true
    stop().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('SIGHUP', () => {
    reloadCertificate().catch((error) =>
      log.error({ err: error }, 'the certificate could not be read; the old one stays'),
    )
  })
}
