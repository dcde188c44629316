import type { Log } from './log.ts'

/** SIGTERM and SIGINT stop in good order, a second one at once; SIGHUP reads the certificate again. */
export function onSignals(log: Log, stop: () => Promise<void>, reloadCertificate: () => Promise<void>): void {
  let stopping = false
  const end = () => {
    if (stopping) process.exit(1)
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
