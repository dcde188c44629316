import { expect, it } from 'vitest'
import type { Attributes } from '../../contract/attributes.ts'
import type { Condition } from '../../contract/conditions/condition.ts'
import { outcomeOf } from '../../contract/conditions/outcome.ts'
import type { ContentDocument, Frequency } from '../../contract/content/document.ts'
import { exampleBanner, exampleFlow, exampleLauncher } from '../../contract/content/examples.ts'
import { documentProblems } from '../../contract/content/validate.ts'
import { compileEnvironment } from './compiled-content.ts'
import { decide } from './decide.ts'
import type { ContentState } from './states.ts'
import { situationIn, type World } from './world.ts'

/** Everything random of a case comes from its number, so that a failure can be repeated. */
class Dice {
  #state: number
  constructor(seed: number) {
    this.#state = seed * 2_654_435_761 + 1
  }
  /** A whole number below `most`. */
  below(most: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (this.#state >>> 3) % most
  }
  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }
  is(oneIn: number): boolean {
    return this.below(oneIn) === 0
  }
}

const NOW = Date.parse('2026-03-04T12:00:00Z')
const DAY = 86_400_000
const KEYS = ['c0', 'c1', 'c2', 'c3', 'c4']
const SEGMENTS = ['s0', 's1']

function leaf(dice: Dice, mayUseSegments: boolean): Condition {
  const of = dice.of(['user', 'group', 'membership'] as const)
  switch (dice.below(mayUseSegments ? 7 : 6)) {
    case 0:
      return {
        attribute: 'seats',
        of,
        is: dice.of(['less', 'at_least', 'more', 'at_most'] as const),
        value: dice.below(6),
      }
    case 1:
      return { attribute: 'plan', of, is: dice.of(['equals', 'not_equals'] as const), value: dice.of(['a', 'b']) }
    case 2:
      return { attribute: dice.of(['seats', 'plan', 'beta']), of, is: dice.of(['exists', 'missing', 'true'] as const) }
    case 3: {
      const count = dice.is(2) ? { at_least: 1 + dice.below(3) } : { at_most: dice.below(3) }
      const within = dice.is(2) ? { within: `${1 + dice.below(9)}d` } : {}
      return { event: dice.of(['e', 'f']), ...count, ...within, by: dice.of(['user', 'group'] as const) }
    }
    case 4: {
      const is = dice.of(['seen', 'completed', 'dismissed', 'not_seen'] as const)
      return { content: dice.of(KEYS), is, ...(dice.is(2) && { within: `${1 + dice.below(9)}d` }) }
    }
    case 5:
      return dice.is(2)
        ? { content: dice.of(KEYS), is: 'active' }
        : { after: new Date(NOW + (dice.below(3) - 1) * DAY).toISOString() }
    default:
      return { segment: dice.of(SEGMENTS), is: dice.of(['in', 'not_in'] as const) }
  }
}

function condition(dice: Dice, levels: number, inPage: boolean, mayUseSegments = true): Condition {
  if (levels > 0 && !dice.is(3)) {
    if (dice.is(4)) return { not: condition(dice, levels - 1, inPage, mayUseSegments) }
    const parts = Array.from({ length: 1 + dice.below(3) }, () => condition(dice, levels - 1, inPage, mayUseSegments))
    return dice.is(2) ? { all: parts } : { any: parts }
  }
  if (inPage && dice.is(2)) return dice.is(2) ? { url: '/a' } : { element: ['testid=b'] }
  return leaf(dice, mayUseSegments)
}

const bases = [exampleFlow, exampleBanner, exampleLauncher]

function document(dice: Dice, key: string): ContentDocument {
  const frequency = dice.of<Frequency>(['once', 'until_completed', 'always', { every: '3d' }])
  const when = {
    ...(dice.is(3) ? {} : { frequency }),
    ...(dice.is(3) && { at_most: 1 + dice.below(3) }),
    ...(dice.is(2) && { priority: dice.of([40, 50, 60]) }),
    ...(dice.is(4) && { exempt_from_quiet: true }),
  }
  const { who: _, where: __, ...base } = dice.of(bases)
  return {
    ...base,
    key,
    when,
    ...(!dice.is(3) && { who: condition(dice, 2, false) }),
    ...(dice.is(2) && { where: condition(dice, 2, true) }),
  } as ContentDocument
}

function attributes(dice: Dice): Attributes {
  const values: Attributes = {}
  if (!dice.is(4)) values.seats = dice.is(5) ? 'many' : dice.below(6)
  if (!dice.is(4)) values.plan = dice.of(['a', 'b', 'c'])
  if (!dice.is(3)) values.beta = dice.is(2)
  return values
}

function world(dice: Dice, documents: readonly ContentDocument[]): World {
  const groups = ['g0', 'g1']
    .slice(0, dice.below(3))
    .map((id) => ({ id, attributes: attributes(dice), membership: attributes(dice) }))
  const ago = () => NOW - dice.below(10 * 24) * (DAY / 24)
  const maybe = () => (dice.is(2) ? ago() : null)
  return {
    now: NOW,
    user: dice.is(20) ? undefined : { id: 'u', attributes: attributes(dice), createdAt: NOW - 9 * DAY },
    groups,
    groupId: dice.is(3) ? dice.of(['g0', 'g1', 'g2']) : undefined,
    events: Array.from({ length: dice.below(6) }, () => ({
      name: dice.of(['e', 'f']),
      time: dice.is(8) ? NOW + DAY : ago(),
      attributes: {},
      groupId: dice.is(2) ? dice.of(['g0', 'g1']) : undefined,
    })),
    states: documents
      .filter(() => dice.is(3))
      .map(({ key, type }): ContentState => {
        const active = dice.is(4)
        return {
          ...{ contentId: `id-${key}`, key, type, started: 1 + dice.below(3), lastStartedAt: ago() },
          ...{ completedAt: maybe(), dismissedAt: maybe(), lastEndedAt: active ? null : ago() },
          ...{ activeSessionId: active ? 'x' : null, holder: active && dice.is(2) ? 'other browser' : null },
        }
      }),
    isOff: dice.is(25),
    quietMs: dice.is(2) ? 2 * DAY : 0,
  }
}

// The oracle: the specification once more, slowly, from the documents themselves. It shares no code with the engine.

const days = (text: string) => Number(text.slice(0, -1)) * DAY

type Page = { a: boolean; b: boolean }

function holds(one: Condition, given: World, segments: Record<string, Condition>, page: Page): boolean {
  const inner = (part: Condition) => holds(part, given, segments, page)
  if ('all' in one) return one.all.every(inner)
  if ('any' in one) return one.any.some(inner)
  if ('not' in one) return !inner(one.not)
  if ('url' in one) return page.a
  if ('element' in one) return page.b
  if ('segment' in one) return inner(segments[one.segment] as Condition) === (one.is === 'in')
  const group =
    given.groupId === undefined && given.groups.length === 1
      ? given.groups[0]
      : given.groups.find(({ id }) => id === given.groupId)
  if ('attribute' in one) {
    const bag =
      { user: given.user?.attributes, group: group?.attributes, membership: group?.membership }[one.of ?? 'user'] ?? {}
    const value = bag[one.attribute]
    const number = typeof value === 'number' ? value : Number.NaN
    switch (one.is) {
      case 'exists':
        return value !== undefined
      case 'missing':
        return value === undefined
      case 'true':
        return value === true
      case 'equals':
        return value === one.value
      case 'not_equals':
        return value !== one.value
      case 'less':
        return number < Number(one.value)
      case 'at_most':
        return number <= Number(one.value)
      case 'more':
        return number > Number(one.value)
      default:
        return number >= Number(one.value)
    }
  }
  if ('event' in one) {
    const since = one.within === undefined ? -Infinity : NOW - days(one.within)
    const inWindow = given.events.filter(
      (event) => event.name === one.event && event.time <= NOW && event.time >= since,
    )
    const count =
      one.by === 'group' ? inWindow.filter((event) => group && event.groupId === group.id).length : inWindow.length
    return one.at_most === undefined ? count >= (one.at_least ?? 1) : count <= one.at_most
  }
  if ('content' in one) {
    const state = given.states.find(({ key }) => key === one.content)
    if (one.is === 'active') return state?.activeSessionId === 'x'
    const at = {
      seen: state?.lastStartedAt,
      not_seen: state?.lastStartedAt,
      completed: state?.completedAt,
      dismissed: state?.dismissedAt,
    }[one.is]
    const isRecent = at !== null && at !== undefined && (one.within === undefined || at >= NOW - days(one.within))
    return one.is === 'not_seen' ? !isRecent : isRecent
  }
  return NOW >= Date.parse((one as { after: string }).after)
}

/** The code of the first closed gate; undefined when the content passes. `pages`: whether some page fits its *where*. */
function reason(content: ContentDocument, given: World, segments: Record<string, Condition>): string | undefined {
  const state = given.states.find(({ key }) => key === content.key)
  const when = content.when ?? {}
  const frequency = when.frequency ?? 'once'
  if (given.isOff) return 'guidance_off'
  if (!given.user) return 'user_unknown'
  if (state && frequency === 'once') return 'already_seen'
  if (state && frequency === 'until_completed' && state.completedAt !== null) return 'already_completed'
  if (state && when.at_most !== undefined && state.started >= when.at_most) return 'at_most_reached'
  if (state && typeof frequency === 'object' && NOW < (state.lastStartedAt ?? 0) + 3 * DAY) return 'not_again_before'
  if (content.who && !holds(content.who, given, segments, { a: false, b: false })) return 'who_not_met'
  const ends = given.states.filter(({ type }) => type === 'flow').map(({ lastEndedAt }) => lastEndedAt ?? -Infinity)
  const quiet = ends.some((end) => NOW < end + (given.quietMs ?? 0))
  if (content.type === 'flow' && !when.exempt_from_quiet && quiet) return 'quiet_until'
  return undefined
}

const pages: Page[] = [false, true].flatMap((a) => [false, true].map((b) => ({ a, b })))

it('decisions and receipts of 10,000 random worlds are those of an independent oracle', () => {
  for (let seed = 0; seed < 10_000; seed++) {
    const dice = new Dice(seed)
    const documents = KEYS.slice(0, 1 + dice.below(KEYS.length)).map((key) => document(dice, key))
    const segments = Object.fromEntries(SEGMENTS.map((key) => [key, condition(dice, 1, false, false)]))
    const given = world(dice, documents)
    const sources = documents.map((one, index) => ({
      ...{ id: `id-${one.key}`, key: one.key, type: one.type, versionId: 'v', isPublished: true },
      publishedAt: new Date(index % 2).toISOString(),
      document: JSON.stringify(one),
    }))
    const lookup = (key: string) => ({ name: key, condition: segments[key] as Condition })
    const { content, receipts } = decide(
      situationIn(compileEnvironment('1', sources, { segments: lookup, keptDays: undefined }), given),
      true,
    )

    for (const one of documents) {
      const expected = reason(one, given, segments)
      const receipt = receipts.find(({ key }) => key === one.key)
      const shown = content.find(({ key }) => key === one.key)
      const isHeld = given.states.some(({ key, holder }) => key === one.key && holder !== null)
      const fits = pages.map((page) => !one.where || holds(one.where, given, segments, page))
      const label = `seed ${seed}, ${one.key}`
      if (expected !== undefined) expect([receipt?.outcome, receipt?.reason], label).toEqual(['hide', expected])
      // A condition that contradicts itself in the page is left to the page all the same.
      else if (!fits.includes(true) && receipt?.reason === 'in_the_page') expect(receipt.outcome, label).toBe('hide')
      else if (isHeld) expect([receipt?.outcome, receipt?.reason], label).toEqual(['hide', 'shown_elsewhere'])
      else {
        expect(receipt?.outcome, label).toBe('show')
        const decided = pages.map(
          ({ a, b }) => !shown?.where || outcomeOf(shown.where, (leaf) => ('url' in leaf ? a : b)),
        )
        expect(decided, label).toEqual(fits)
      }
      expect(shown !== undefined, label).toBe(receipt?.outcome === 'show')
      expect(receipt?.sentence, label).toMatch(receipt?.outcome === 'show' ? /^Shown/ : /^Not shown: \S/)
    }

    const rank = ({ key }: { key: string }) => documents.findIndex((one) => one.key === key)
    const order = documents
      .filter(({ key }) => content.some((one) => one.key === key))
      .sort(
        (first, second) =>
          (second.when?.priority ?? 50) - (first.when?.priority ?? 50) ||
          (rank(first) % 2) - (rank(second) % 2) ||
          rank(first) - rank(second),
      )
    expect(
      content.map(({ key }) => key),
      `seed ${seed}`,
    ).toEqual(order.map(({ key }) => key))
  }
})

it('the random documents are valid ones', () => {
  for (let seed = 0; seed < 200; seed++) expect(documentProblems(document(new Dice(seed), 'c0'))).toEqual([])
})
