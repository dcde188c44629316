import type { DeliveryPause } from '../webhooks/pause.ts'
import { type Finding, ok, warning } from './finding.ts'

export function judgePause(pause: DeliveryPause | undefined): Finding {
  if (!pause) return ok('webhooks', 'they are sent')
  const advice = 'Run "npx usher webhooks resume" when receivers should get them.'
  return warning('webhooks', `none are sent since ${pause.since}: ${pause.reason}`, advice)
}
