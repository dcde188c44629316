import { count } from '../counted.ts'
import type { Backlog } from '../webhooks/backlog.ts'
import { type Finding, ok, warning } from './finding.ts'

/** The count stops here. A healthy server is far below it. */
const TOO_MANY = 100_000

type Counted = Pick<Backlog, 'waiting'> & Partial<Pick<Backlog, 'unreachable'>>

/** Whether the deliveries of all environments keep up. */
export function judgeBacklog({ waiting, unreachable = [] }: Counted): Finding {
  if (waiting < TOO_MANY && unreachable.length > 0)
    return warning(
      'backlog',
      `${count(waiting)} wait; not counted: those on ${unreachable.join(', ')}, which does not answer`,
      'Start the worker.',
    )
  if (waiting < TOO_MANY) return ok('backlog', waiting === 1 ? '1 delivery waits' : `${count(waiting)} deliveries wait`)
  const advice =
    'Look under Webhooks for endpoints that fail, answer slowly, or are disabled, and delete those that are not needed.'
  return warning('backlog', `${count(TOO_MANY)} deliveries wait, or more`, advice)
}

/** Whether every endpoint answers. The one that has failed longest is why most deliveries wait. */
export function judgeEndpoints(failing: number): Finding {
  if (failing === 0) return ok('endpoints', 'none is failing')
  const finding = failing === 1 ? '1 endpoint is failing' : `${count(failing)} endpoints are failing`
  return warning('endpoints', finding, 'Look under Webhooks, or run "npx usher webhooks list": each says why.')
}
