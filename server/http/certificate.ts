import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'

/** Checks before the start whether the certificate can be used with its key. */
export function checkCertificate({ tls }: Pick<Config, 'tls'>): void {
  if (!tls) return
  try {
    createSecureContext({ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) })
  } catch (error) {
    throw new StartupError(`USHER_TLS_CERT and USHER_TLS_KEY cannot be used: ${(error as Error).message}.`)
  }
}
