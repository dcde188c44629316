import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DAY_MS } from '../../contract/units.ts'
import { checkCertificate } from '../http/certificate.ts'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const SOON_DAYS = 14

/** Whether the certificate fits its key, and for how long it is valid. No findings without one. */
export function checkTls(config: Pick<Config, 'tls'>, now = Date.now()): Finding[] {
  if (!config.tls) return []
  try {
    checkCertificate(config)
    return [judgeExpiry(new X509Certificate(readFileSync(config.tls.certFile)).validTo, now)]
  } catch (error) {
    const finding = error instanceof StartupError ? error.message : `USHER_TLS_CERT: ${(error as Error).message}`
    return [problem('certificate', finding, 'Put the certificate and the key that belong together there.')]
  }
}

export function judgeExpiry(validTo: string, now: number): Finding {
  const days = Math.floor((Date.parse(validTo) - now) / DAY_MS)
  const finding = `valid until ${new Date(validTo).toISOString()}`
  const advice = 'Renew it, and send SIGHUP to the server.'
  if (days < 0) return problem('certificate', finding, advice)
  return days < SOON_DAYS ? warning('certificate', finding, advice) : ok('certificate', finding)
}
