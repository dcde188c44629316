import type { Bench, Site } from '../bench.ts'
import { compare } from '../compare.ts'
import type { Traffic } from '../traffic.ts'
import { publishTours } from './guidance.ts'
import { EVENT, EXISTING_USER } from './requests.ts'
import type { Measured, Row } from './row.ts'

/** What content and segments cost the writes that they are about: nothing, since they are evaluated when somebody asks. */

const SEGMENTS = 100
const LEAST_TURNS = 7

export const presenceRows: Row[] = [
  row('published-events', 'POST /events with 50 published contents that name this event', EVENT, publishContent),
  row('segments-events', `POST /events with ${SEGMENTS} segments that name this event`, EVENT, defineSegments),
  row('segments-users', `POST /users, existing user, with ${SEGMENTS} segments`, EXISTING_USER, defineSegments),
]

function row(name: string, what: string, traffic: Traffic, prepare: (site: Site) => Promise<void>): Row {
  return {
    name,
    work: `server CPU of ${what}, against none`,
    target: { most: 1.03 },
    measure: (bench) => measure(bench, traffic, prepare),
  }
}

async function measure(bench: Bench, traffic: Traffic, prepare: (site: Site) => Promise<void>): Promise<Measured> {
  const [present, absent] = [await bench.site(), await bench.site()]
  await prepare(present)
  const side = ({ server, database }: Site) => ({ port: server.port, pid: server.pid, database, traffic })
  const comparison = await compare(bench, side(present), side(absent), { leastTurns: LEAST_TURNS })
  const { ours, yardstick } = comparison
  return { value: ours.serverMicros / yardstick.serverMicros, comparison }
}

async function publishContent(site: Site): Promise<void> {
  await publishTours(site, (number) => ({ event: 'project_created', at_least: 1 + number }))
}

async function defineSegments({ server }: Site): Promise<void> {
  for (let number = 0; number < SEGMENTS; number += 1) {
    const any = [
      { event: 'project_created', at_least: 1 + number },
      { attribute: 'seats', is: 'at_least', value: number },
    ]
    const segment = { key: `segment-${number}`, name: `Segment ${number}`, condition: { any } }
    const response = await server.call('POST', '/segments', segment)
    if (response.status !== 200) throw new Error(`/segments answered ${response.status}: ${await response.text()}`)
  }
}
