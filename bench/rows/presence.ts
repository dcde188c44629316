import { type Bench, type Site, USERS } from '../bench.ts'
import { compare } from '../compare.ts'
import { seedEnvironments } from '../seed.ts'
import { environmentKey, KEY, type Traffic } from '../traffic.ts'
import { publishTours } from './guidance.ts'
import { EVENT, EXISTING_USER } from './requests.ts'
import type { Measured, Row } from './row.ts'

/** What content and segments cost the writes that they are about: nothing, since they are evaluated when somebody asks. */

const SEGMENTS = 100
/** With so many, three comparisons of two environments without content gave 1.000, 1.008 and 1.016. */
const LEAST_TURNS = 20

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

/**
 * The sides are two environments of one server. Two servers that do the same differ by up to 3 % of CPU time for as long as
 * they run: of seven such pairs the medians of the turns were 0.967 to 1.028. What a server does for content beside the
 * requests counts for both sides here.
 */
async function measure(bench: Bench, traffic: Traffic, prepare: (site: Site) => Promise<void>): Promise<Measured> {
  const site = await bench.site()
  await seedEnvironments(site.database, 1, USERS)
  await prepare(site)
  const { server, database } = site
  const side = (key: string) => ({ port: server.port, pid: server.pid, database, traffic: { ...traffic, key } })
  const comparison = await compare(bench, side(KEY), side(environmentKey(0)), { leastTurns: LEAST_TURNS })
  return { value: comparison.serverRatio, comparison, note: 'two environments of one server' }
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
