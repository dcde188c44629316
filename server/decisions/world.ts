import type { Attributes } from '../../contract/attributes.ts'
import { own } from '../attributes/own.ts'
import { compareTest } from '../conditions/compare.ts'
import type { Facts } from '../conditions/facts.ts'
import type { Probe } from '../conditions/probes.ts'
import type { CompiledEnvironment } from './compiled-content.ts'
import { contentFacts } from './content-facts.ts'
import type { Situation } from './gates.ts'
import type { ContentState } from './states.ts'

/** A user and its history in memory: decisions about it need no database. Times are milliseconds since 1970. */
export interface World {
  now: number
  user?: { id: string; attributes: Attributes; createdAt: number } | undefined
  groups: readonly { id: string; attributes: Attributes; membership: Attributes }[]
  /** The group that the caller names. */
  groupId?: string | undefined
  events: readonly WorldEvent[]
  states: readonly ContentState[]
  answers?: Facts['answers']
  isOff?: boolean
  quietMs?: number
}

export interface WorldEvent {
  name: string
  time: number
  attributes: Attributes
  groupId?: string | undefined
}

/** What a decision would read of this world. */
export function situationIn(environment: CompiledEnvironment, world: World): Situation {
  const { now, user, groups, groupId, states } = world
  const group = groupId === undefined ? only(groups) : groups.find(({ id }) => id === groupId)
  const facts: Facts = {
    now,
    user: user && { id: user.id, attributes: user.attributes, createdAt: new Date(user.createdAt).toISOString() },
    group,
    foreignGroup: group ? undefined : groupId,
    otherGroups: group ? [] : groups.map(({ id }) => id),
    counts: environment.needs.probes.map((probe) => countIn(world, probe, group?.id)),
    content: new Map(states.map((state) => [state.key, contentFacts(state)])),
    answers: world.answers ?? new Map(),
  }
  const standing = { revision: environment.revision, isOff: world.isOff ?? false, quietMs: world.quietMs ?? 0, states }
  return { environment, standing, facts }
}

const only = <Item>(items: readonly Item[]) => (items.length === 1 ? items[0] : undefined)

function countIn({ now, events, user }: World, probe: Probe, groupId: string | undefined): number {
  const { event, by, withinMs, since, sinceCreated, where = [], most } = probe
  if (by === 'group' && groupId === undefined) return 0
  const least = Math.max(
    since ?? Number.NEGATIVE_INFINITY,
    withinMs === null ? Number.NEGATIVE_INFINITY : now - withinMs,
    sinceCreated ? (user?.createdAt ?? Number.NEGATIVE_INFINITY) : Number.NEGATIVE_INFINITY,
  )
  const tests = where.map((test) => ({ attribute: test.attribute, fits: compareTest(test) }))
  const fitting = events.filter(
    (one) =>
      one.name === event &&
      one.time >= least &&
      one.time <= now &&
      (by === 'user' || one.groupId === groupId) &&
      tests.every(({ attribute, fits }) => fits(own(one.attributes, attribute), now)),
  )
  return Math.min(fitting.length, most)
}
