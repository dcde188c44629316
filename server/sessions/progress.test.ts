import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContentDocument } from '../../contract/content/document.ts'
import type { EndReason, Report } from '../../contract/sdk/protocol.ts'
import { ApiError } from '../errors.ts'
import { idleSince } from '../history/overdue.ts'
import { type Change, type HistoryEvent, UserHistory } from '../history/user-history.ts'
import { applyClaim, type ClaimCall, type Claimed, tidy } from './claim.ts'
import { expireJob } from './jobs.ts'
import { applyProgress, type ProgressCall } from './progress.ts'
import { releaseClaim, renewLease } from './release.ts'
import { shapeOf, type VersionShape } from './shape.ts'

const flow = {
  key: 'tour',
  type: 'flow',
  name: 'Tour',
  steps: [
    { key: 'a', type: 'dialog', blocks: [{ question: 'ease', kind: 'nps', label: 'How easy?' }] },
    { key: 'b', type: 'dialog', blocks: [{ question: 'why', kind: 'text', label: 'Why?' }] },
    { key: 'c', type: 'hidden', advance: [{ on: 'otherwise' }], timeout: { after: '1d', to: 'a' } },
  ],
} as unknown as ContentDocument
const checklist = {
  key: 'list',
  type: 'checklist',
  name: 'List',
  tasks: [
    { key: 'one', name: 'One' },
    { key: 'two', name: 'Two', complete_when: { event: 'x' } },
  ],
} as unknown as ContentDocument

const version = (id: string) => ({ contentId: id, contentName: id, versionId: `${id}-v1`, versionNumber: 1 })
const TOUR = shapeOf(version('tour'), flow)
const LIST = shapeOf(version('list'), checklist)
const BANNER = shapeOf(version('banner'), { key: 'b', type: 'banner', name: 'B', blocks: [] })

const LAUNCHER = shapeOf(version('launcher'), {
  ...{ key: 'l', type: 'launcher', name: 'L', label: 'L', target: { locators: ['css=#l'] }, do: [] },
})

/** One user, a clock that the test drives, and what was emitted. */
class Stage {
  readonly history = new UserHistory('ada')
  readonly events: HistoryEvent[] = []
  now = 1_000_000
  /** By how much the times of commits are ahead of the clock. */
  aheadMs = 0
  quietMs = 0
  published = new Map([TOUR, LIST, BANNER, LAUNCHER].map((shape) => [shape.contentId, shape.versionId]))
  #ids = 0

  get change(): Change {
    const { history, now } = this
    const createdAt = now + this.aheadMs
    return { history, now, createdAt, newId: () => `id${++this.#ids}`, emit: (event) => this.events.push(event) }
  }

  claim(shape: VersionShape, holder: string, more: Partial<ClaimCall> = {}): Claimed | ApiError {
    const call = { shape, holder, groupId: null, reason: 'auto', once: false, receiptJson: '{}', ...more } as const
    const publishedVersionId = this.published.get(shape.contentId) ?? null
    tidy(this.change)
    return applyClaim(this.change, call, { publishedVersionId, isOff: false, quietMs: this.quietMs, endsBefore: null })
  }

  claimed(shape: VersionShape, holder = 'h', more: Partial<ClaimCall> = {}): Claimed['claim'] {
    const claimed = this.claim(shape, holder, more)
    if (claimed instanceof ApiError) throw claimed
    return claimed.claim
  }

  report(id: string, reports: Report[], more: Partial<ProgressCall> = {}, shape = TOUR) {
    return applyProgress(this.change, { id, holder: 'h', reports, ...more }, shape)
  }

  /** A flow of which the first step was seen. */
  running(holder = 'h'): string {
    const { id } = this.claimed(TOUR, holder)
    this.report(id, [seen(1, 'a')], { holder })
    return id
  }

  get names(): string[] {
    return this.events.map(({ name }) => name)
  }

  session(id: string) {
    return this.history.sessions.get(id)
  }
}

const seen = (sequence: number, step: string): Report => ({ sequence, type: 'step_seen', step })
const answered = (sequence: number, question: string, value: number | string): Report => ({
  sequence,
  type: 'answered',
  question,
  value,
})
const ended = (sequence: number, reason: EndReason): Report => ({ sequence, type: 'ended', reason })
const codeOf = (result: unknown) => (result instanceof ApiError ? result.code : result)
const valuesOf = ({ operations }: HistoryEvent) =>
  Object.fromEntries(operations.map(([name, operation]) => [name, 'value' in operation ? operation.value : undefined]))

describe('a claim', () => {
  it('is not written again by reports that move nothing', () => {
    const stage = new Stage()
    const id = stage.running()
    const { claims } = stage.history
    const shown = claims.get(id)
    stage.report(id, [seen(2, 'b'), seen(3, 'a')])
    expect(claims.get(id)).toBe(shown)
    stage.report(id, [{ sequence: 4, type: 'hidden' }])
    expect(claims.get(id)).toMatchObject({ state: 'hidden', hiddenAt: stage.now })
    stage.report(id, [seen(5, 'b')])
    expect(claims.get(id)).toEqual(shown)
  })

  it('becomes a session when the first step is seen, and not before', () => {
    const stage = new Stage()
    const { id } = stage.claimed(TOUR)
    expect(stage.history.states.get('tour')).toBeUndefined()
    stage.report(id, [seen(1, 'a')])
    expect(stage.session(id)).toMatchObject({ state: 'active', step: 'a', progress: '1/3', receiptJson: '{}' })
    expect(stage.history.states.get('tour')).toMatchObject({ started: 1, activeSessionId: id })
    expect(stage.names).toEqual(['flow_started', 'flow_step_seen'])
  })

  it('that is never shown ends with its lease and leaves no trace', () => {
    const stage = new Stage()
    const { id } = stage.claimed(TOUR, 'one')
    expect(codeOf(stage.claim(TOUR, 'two'))).toBe('claimed')
    stage.now += 60_000
    expect(codeOf(stage.report(id, [seen(1, 'a')], { holder: 'one' }))).toBe('not_found')
    stage.claimed(TOUR, 'two')
    expect(stage.history.claims.get(id)).toBeUndefined()
    expect([stage.events, [...stage.history.sessions.values()], [...stage.history.states.values()]]).toEqual([
      [],
      [],
      [],
    ])
  })

  it('that is refused says whether another browser has this content or the user sees another one', () => {
    const stage = new Stage()
    const other = { ...TOUR, contentId: 'other', versionId: 'other-v1' }
    stage.published.set('other', 'other-v1')
    const refusal = (shape: VersionShape) => (stage.claim(shape, 'two') as ApiError).message
    const { id } = stage.claimed(TOUR, 'one')
    expect(refusal(TOUR)).toBe('Another browser of the user is about to show this flow.')
    expect(refusal(other)).toBe('Another flow is about to be shown to the user.')
    stage.report(id, [seen(1, 'a')], { holder: 'one' })
    expect(refusal(TOUR)).toBe('Another browser of the user shows this flow.')
    expect(refusal(other)).toBe('The user sees another flow at the moment.')
  })

  it('of the same browser again is the same claim, since its answer may have been lost', () => {
    const stage = new Stage()
    expect(stage.claimed(TOUR).id).toBe(stage.claimed(TOUR).id)
  })

  it('of the same browser for another group takes the place of the one before: nothing was seen for that group', () => {
    const stage = new Stage()
    const before = stage.claimed(TOUR, 'h', { groupId: 'one' })
    const after = stage.claimed(TOUR, 'h', { groupId: 'two' })
    expect([after.groupId, after.id === before.id]).toEqual(['two', false])
    stage.report(after.id, [seen(1, 'a')])
    expect(stage.claimed(TOUR, 'h', { groupId: 'one' })).toMatchObject({ id: after.id, groupId: 'two' })
    expect([...stage.history.claims.values()]).toHaveLength(1)
  })

  it('is refused by frequency, by the quiet period, by the slot and by another version', () => {
    const stage = new Stage()
    stage.quietMs = 10_000
    const id = stage.running()
    const other = { ...TOUR, contentId: 'other', versionId: 'other-v1' }
    stage.published.set('other', 'other-v1')
    expect(codeOf(stage.claim(other, 'h2'))).toBe('shown_elsewhere')
    stage.report(id, [ended(2, 'close_button')])
    expect(codeOf(stage.claim(TOUR, 'h'))).toBe('already_seen')
    expect(codeOf(stage.claim(other, 'h'))).toBe('quiet_until')
    stage.now += 10_000
    stage.published.set('other', 'other-v2')
    expect(codeOf(stage.claim(other, 'h'))).toBe('version_changed')
    expect(codeOf(stage.claim(LIST, 'h'))).toMatchObject({ claim: { epoch: 1 } })
  })

  it('is not refused by a quiet period that begins when a session ends of which the user has seen nothing for 30 days', () => {
    const stage = new Stage()
    const other = { ...TOUR, contentId: 'other', versionId: 'other-v1' }
    stage.published.set('other', 'other-v1')
    const id = stage.running()
    const leftAt = stage.now
    stage.now += 40 * 86_400_000
    expireJob({ id, userId: 'ada' }, idleSince(stage.now)).change(stage.change, {} as never)
    expect(stage.session(id)).toMatchObject({ endReason: 'expired', endedAt: stage.now })
    stage.quietMs = 10_000
    stage.claimed(other, 'h')
    const state = stage.history.states.get(TOUR.contentId)
    expect(state?.lastEndedAt).toBe(leftAt)
  })

  it('is not refused by what was stored while the clock was ahead', () => {
    const stage = new Stage()
    const weekly = { ...TOUR, when: { frequency: { every: '7d' } } as const }
    const other = { ...TOUR, contentId: 'other', versionId: 'other-v1' }
    stage.published.set('other', 'other-v1')
    stage.quietMs = 10_000
    stage.now += 1e9
    stage.report(stage.claimed(weekly).id, [seen(1, 'a'), ended(2, 'escape')])
    const codes = () => [weekly, other].map((shape) => codeOf(stage.claim(shape, 'h')))
    expect(codes()).toEqual(['not_again_before', 'quiet_until'])
    stage.now -= 1_000
    expect(codes()).toEqual(['not_again_before', 'quiet_until'])
    stage.now -= 1e9
    const { id } = stage.claimed(weekly)
    stage.report(id, [seen(1, 'a'), { sequence: 2, type: 'hidden' }])
    expect(codeOf(stage.claim(other, 'h'))).toBe('shown_elsewhere')
    stage.now -= 60_000
    stage.claimed(other)
  })

  it('by hand passes frequency and quiet, ends what runs, and with once asks whether it was ever seen', () => {
    const stage = new Stage()
    const id = stage.running('laptop')
    expect(codeOf(stage.claim(TOUR, 'phone', { reason: 'manual', once: true }))).toBe('already_seen')
    expect(stage.session(id)?.endedAt).toBeNull()
    const again = stage.claimed(TOUR, 'phone', { reason: 'manual' })
    expect(stage.session(id)).toMatchObject({ state: 'ended', endReason: 'replaced' })
    expect(again.id).not.toBe(id)
    expect(stage.report(id, [seen(2, 'b')], { holder: 'laptop', epoch: 1 })).toMatchObject({ holder: false })
  })
})

describe('a session', () => {
  it('is resumed by another browser once its lease is over, and by the same one at once, at the same step', () => {
    const stage = new Stage()
    const id = stage.running('laptop')
    expect(codeOf(stage.claim(TOUR, 'phone'))).toBe('shown_elsewhere')
    expect(stage.claimed(TOUR, 'laptop')).toMatchObject({ id, epoch: 1, sequence: 1 })
    stage.now += 60_000
    expect(renewLease(stage.change, { id, holder: 'laptop', epoch: 1 }).holder).toBe(false)
    expect(stage.claim(TOUR, 'phone')).toMatchObject({ claim: { id, epoch: 2, sequence: 1 }, session: { step: 'a' } })
  })

  it('is resumed by another browser at once after a release', () => {
    const stage = new Stage()
    const id = stage.running('laptop')
    releaseClaim(stage.change, { id, holder: 'laptop', epoch: 1 })
    expect(stage.claimed(TOUR, 'phone')).toMatchObject({ id, epoch: 2 })
  })

  it.each([-5_000, 0, 5_000])('that was released is held by nobody when the clock is set by %i ms then', (ms) => {
    const stage = new Stage()
    const id = stage.running('laptop')
    const other = { ...TOUR, contentId: 'other', versionId: 'other-v1' }
    stage.published.set('other', 'other-v1')
    const held = { id, holder: 'laptop', epoch: 1 }
    releaseClaim(stage.change, held)
    stage.now += ms
    expect(renewLease(stage.change, held)).toMatchObject({ holder: false, slot: false })
    expect(stage.report(id, [seen(2, 'b')], held)).toMatchObject({ holder: false, slot: false })
    // Its slot is free as well.
    stage.claimed(other, 'tablet')
    stage.now += 60_000
    expect(stage.claimed(TOUR, 'phone')).toMatchObject({ id, epoch: 2 })
  })

  it('is resumed by another browser at once after a release, also when the clock was set back since', () => {
    const stage = new Stage()
    const id = stage.running('laptop')
    releaseClaim(stage.change, { id, holder: 'laptop', epoch: 1 })
    stage.now -= 5_000
    expect(stage.claimed(TOUR, 'phone')).toMatchObject({ id, epoch: 2 })
  })

  it('gives up its slot after 8 s hidden, and comes back when the slot is free', () => {
    const stage = new Stage()
    const id = stage.running()
    const other = { ...TOUR, contentId: 'other', versionId: 'other-v1' }
    stage.published.set('other', 'other-v1')
    stage.report(id, [{ sequence: 2, type: 'hidden' }])
    stage.now += 7_999
    expect(codeOf(stage.claim(other, 'h'))).toBe('shown_elsewhere')
    stage.now += 1
    const { id: second } = stage.claimed(other, 'h')
    stage.report(second, [seen(1, 'a')], {}, other)
    expect(stage.report(id, [{ sequence: 3, type: 'shown' }])).toMatchObject({
      holder: true,
      slot: false,
      state: 'active',
    })
    expect(codeOf(stage.claim(TOUR, 'h'))).toBe('shown_elsewhere')
    stage.report(second, [ended(2, 'escape')], {}, other)
    expect(stage.claimed(TOUR, 'h')).toMatchObject({ id, epoch: 1 })
    expect(stage.report(id, [])).toMatchObject({ slot: true })
  })

  it('that gave up its slot is begun anew by a start by hand, which ends what has the slot', () => {
    const stage = new Stage()
    const id = stage.running()
    const other = { ...TOUR, contentId: 'other', versionId: 'other-v1' }
    stage.published.set('other', 'other-v1')
    stage.report(id, [{ sequence: 2, type: 'hidden' }])
    stage.now += 8_000
    expect(stage.claimed(TOUR, 'h', { reason: 'manual' })).toMatchObject({ id, epoch: 1 })
    stage.report(id, [{ sequence: 3, type: 'hidden' }])
    stage.now += 8_000
    const { id: second } = stage.claimed(other, 'h')
    stage.report(second, [seen(1, 'a')], {}, other)
    expect(stage.claimed(TOUR, 'h', { reason: 'manual' }).id).not.toBe(id)
    for (const ended of [id, second]) expect(stage.session(ended)).toMatchObject({ endReason: 'replaced' })
  })

  it('ignores repeats, refuses gaps by naming the last sequence, and stores nothing of a refused call', () => {
    const stage = new Stage()
    const id = stage.running()
    expect(stage.report(id, [seen(1, 'a'), seen(2, 'b')])).toMatchObject({ sequence: 2 })
    const before = [stage.session(id), stage.events.length]
    const gap = stage.report(id, [seen(3, 'a'), seen(5, 'b')])
    expect(gap).toMatchObject({
      code: 'sequence_gap',
      message: expect.stringContaining('the sequence 2, and 4 is missing'),
    })
    expect([stage.session(id), stage.events.length]).toEqual(before)
    expect(stage.names).toEqual(['flow_started', 'flow_step_seen', 'flow_step_seen'])
  })

  it('ignores a report that stands twice in one call', () => {
    const stage = new Stage()
    const { id } = stage.claimed(TOUR)
    const call = [seen(1, 'a'), seen(1, 'a'), seen(2, 'b'), seen(1, 'a')]
    expect(stage.report(id, call)).toMatchObject({ sequence: 2, state: 'active' })
    expect(stage.session(id)).toMatchObject({ step: 'b' })
    expect(stage.names).toEqual(['flow_started', 'flow_step_seen', 'flow_step_seen'])
  })

  it('stores what the user did in the next tab of the browser, also when a late report of the tab before has its sequence', () => {
    const stage = new Stage()
    const id = stage.running()
    // The next tab goes on from the sequence 1. Then the last report of the one before arrives.
    expect(stage.claimed(TOUR)).toMatchObject({ id, epoch: 1, sequence: 1 })
    stage.report(id, [seen(2, 'b'), answered(3, 'ease', 1)])
    const next = [answered(2, 'why', 'so'), { sequence: 3, type: 'completed' } as const]
    for (const _ of [1, 2]) expect(stage.report(id, next)).toMatchObject({ sequence: 3, state: 'completed' })
    expect([...stage.history.answers.values()].map(({ value }) => value)).toEqual([1, 'so'])
    expect(stage.report(id, [ended(3, 'button')])).toMatchObject({ sequence: 3 })
    expect(stage.session(id)).toMatchObject({ state: 'completed', endReason: 'button', step: 'b' })
    const names = ['flow_started', 'flow_step_seen', 'flow_step_seen', 'question_answered', 'question_answered']
    expect(stage.names).toEqual([...names, 'flow_completed', 'flow_ended'])
  })

  it('takes from an older epoch only answers, and only where there is no newer one', () => {
    const stage = new Stage()
    const id = stage.running('laptop')
    stage.now += 60_000
    stage.claimed(TOUR, 'phone')
    stage.report(id, [answered(2, 'ease', 9)], { holder: 'phone', epoch: 2 })
    const late = stage.report(id, [seen(2, 'b'), answered(3, 'ease', 1), answered(4, 'why', 'so')], {
      ...{ holder: 'laptop', epoch: 1 },
    })
    expect(late).toMatchObject({ holder: false, sequence: 2 })
    const values = Object.fromEntries(
      [...stage.history.answers.values()].map(({ question, value }) => [question, value]),
    )
    expect(values).toEqual({ ease: 9, why: 'so' })
    expect(stage.session(id)?.step).toBe('a')
    const count = stage.events.length
    stage.report(id, [answered(4, 'why', 'so')], { holder: 'laptop', epoch: 1 })
    expect(stage.events.length).toBe(count)
  })

  it('is not held by a page of an older epoch, also when its browser holds it again', () => {
    const stage = new Stage()
    const id = stage.running('laptop')
    for (const holder of ['phone', 'laptop']) {
      stage.now += 60_000
      stage.claimed(TOUR, holder)
    }
    const report = (epoch?: number) => stage.report(id, [seen(2, 'b')], { holder: 'laptop', epoch })
    expect(report(1)).toEqual({ holder: false, slot: false, sequence: 1, state: 'active' })
    expect(report(3)).toMatchObject({ holder: true, slot: true, sequence: 2 })
    expect(report()).toMatchObject({ holder: true })
  })

  it('does not change after its end', () => {
    const stage = new Stage()
    const id = stage.running()
    stage.report(id, [ended(2, 'escape'), seen(3, 'b')])
    const before = stage.session(id)
    stage.now += 5
    expect(stage.report(id, [answered(3, 'ease', 1)])).toMatchObject({ state: 'dismissed', sequence: 2 })
    expect(stage.session(id)).toEqual(before)
  })

  it('is never completed, ended or active before its creation, however far commits are ahead of the clock', () => {
    const stage = new Stage()
    stage.aheadMs = 500
    const { id } = stage.claimed(TOUR)
    stage.report(id, [seen(1, 'a'), { sequence: 2, type: 'completed' }])
    const { createdAt, completedAt, lastActivityAt } = stage.session(id) ?? {}
    expect([createdAt, completedAt, lastActivityAt]).toEqual([1_000_500, 1_000_500, 1_000_500])
    // The start is by the clock of the database, as publications are.
    expect(stage.history.states.get('tour')).toMatchObject({ lastStartedAt: 1_000_000, completedAt: 1_000_500 })
    // The next commit has the clock of another node.
    stage.aheadMs = 0
    stage.now += 100
    stage.report(id, [ended(3, 'button')])
    expect(stage.session(id)).toMatchObject({ endedAt: 1_000_500, lastActivityAt: 1_000_500 })
  })

  it('has the time of the last report as its last activity: no repeat, no report after its end, and no other end moves it', () => {
    const stage = new Stage()
    const id = stage.running()
    stage.now += 10
    stage.report(id, [seen(2, 'b')])
    const at = stage.now
    stage.now += 10
    stage.report(id, [seen(1, 'a'), seen(2, 'b')])
    expect(stage.session(id)).toMatchObject({ lastActivityAt: at })
    renewLease(stage.change, { id, holder: 'h', epoch: 1 })
    expect(stage.session(id)).toMatchObject({ lastActivityAt: at })
    stage.now += 40 * 86_400_000
    expireJob({ id, userId: 'ada' }, idleSince(stage.now)).change(stage.change, {} as never)
    expect(stage.session(id)).toMatchObject({ endReason: 'expired', endedAt: stage.now, lastActivityAt: at })
    stage.now += 10
    stage.report(id, [seen(3, 'a')])
    expect(stage.session(id)).toMatchObject({ sequence: 2, lastActivityAt: at })
  })

  it('that was completed and is on no screen ends with the next start in its slot, and one on the screen does not', () => {
    const stage = new Stage()
    const always = { ...TOUR, when: { frequency: 'always' } as const }
    const launcher = stage.claimed(LAUNCHER).id
    stage.report(
      launcher,
      [
        { sequence: 1, type: 'shown' },
        { sequence: 2, type: 'completed' },
      ],
      {},
      LAUNCHER,
    )
    for (let run = 0; run < 3; run += 1) {
      stage.report(stage.claimed(always).id, [seen(1, 'a'), { sequence: 2, type: 'completed' }])
      stage.now += 60_000
    }
    const ofTours = () => [...stage.history.sessions.values()].filter(({ type }) => type === 'flow')
    expect(ofTours().map(({ state, endReason }) => [state, endReason])).toEqual([
      ['completed', 'replaced'],
      ['completed', 'replaced'],
      ['completed', null],
    ])
    expect(stage.session(launcher)?.endedAt).toBeNull()
    const { id } = stage.claimed(always)
    stage.report(id, [seen(1, 'a'), { sequence: 2, type: 'completed' }, { sequence: 3, type: 'hidden' }])
    stage.now += 8_000
    stage.report(stage.claimed(always, 'phone').id, [seen(1, 'a')], { holder: 'phone' })
    expect(stage.session(id)?.endedAt).toBeNull()
  })

  it('keeps completed and ended as two facts', () => {
    const stage = new Stage()
    const id = stage.running()
    stage.report(id, [{ sequence: 2, type: 'completed' }])
    expect(stage.session(id)).toMatchObject({ state: 'completed', endedAt: null })
    stage.report(id, [{ sequence: 3, type: 'completed' }, ended(4, 'button')])
    expect(stage.session(id)).toMatchObject({ state: 'completed', endReason: 'button' })
    expect(stage.names.filter((name) => name === 'flow_completed')).toHaveLength(1)
  })

  it('refuses a step, a question or a task of another version, a wrong answer, and a reason that is not of a page', () => {
    const stage = new Stage()
    const id = stage.running()
    const result = stage.report(id, [
      seen(2, 'gone'),
      answered(3, 'ease', 'ten'),
      answered(4, 'ease', 11),
      answered(5, 'gone', 1),
      { sequence: 6, type: 'task_clicked', task: 'gone' },
      ended(7, 'expired'),
    ])
    expect(String((result as ApiError).message).split('; ')).toEqual([
      "reports[0].step: the version of this session has no step 'gone'",
      'reports[1].value: must be a whole number from 0 to 10',
      'reports[2].value: must be a whole number from 0 to 10',
      "reports[3].question: the version of this session has no question 'gone'",
      "reports[4].task: the version of this session has no task 'gone'",
      expect.stringMatching(/^reports\[5\]\.reason: must be one of/),
    ])
    expect(stage.session(id)?.sequence).toBe(1)
  })

  it('refuses a step of what has no steps, and the activation of what is no launcher', () => {
    const stage = new Stage()
    const { id } = stage.claimed(LAUNCHER)
    const steps = stage.report(id, [{ sequence: 1, type: 'shown' }, seen(2, 'a')], {}, LAUNCHER)
    expect(String((steps as ApiError).message)).toBe("reports[1].step: the version of this session has no step 'a'")
    expect(stage.names).toEqual([])
    const flow = stage.report(stage.running(), [{ sequence: 2, type: 'activated' }])
    expect(String((flow as ApiError).message)).toBe('reports[0].type: only a launcher is activated, and this is a flow')
  })

  it('refuses a list that is longer as a text than a value of an attribute may be', () => {
    const options = Array.from({ length: 20 }, (_, index) => String(index))
    const block = { question: 'which', kind: 'choice', label: 'Which?', multiple: true, options, other: 'Other' }
    const banner = { key: 'b', type: 'banner', name: 'B', blocks: [block] } as unknown as ContentDocument
    const shape = shapeOf(version('banner'), banner)
    const stage = new Stage()
    const { id } = stage.claimed(shape)
    const answer = (length: number): Report[] => [
      { sequence: 1, type: 'shown' },
      { sequence: 2, type: 'answered', question: 'which', value: ['x'.repeat(length)] },
    ]
    expect(codeOf(stage.report(id, answer(8_189), {}, shape))).toBe('invalid_params')
    expect(stage.report(id, answer(8_188), {}, shape)).toMatchObject({ sequence: 2 })
  })

  it('takes 0 as an answer to NPS', () => {
    const stage = new Stage()
    const id = stage.running()
    stage.report(id, [answered(2, 'ease', 0)])
    expect(valuesOf(stage.events.at(-1) as HistoryEvent)).toMatchObject({ number_answer: 0, question_type: 'nps' })
  })

  it('of a checklist latches its tasks, and is completed with the last one', () => {
    const stage = new Stage()
    const { id } = stage.claimed(LIST)
    const report = (reports: Report[]) => stage.report(id, reports, {}, LIST)
    report([{ sequence: 1, type: 'shown' }])
    report([{ sequence: 2, type: 'task_clicked', task: 'two' }])
    expect(stage.session(id)?.tasks).toEqual([])
    report([{ sequence: 3, type: 'task_clicked', task: 'one' }])
    report([{ sequence: 4, type: 'task_completed', task: 'one' }])
    expect(stage.session(id)).toMatchObject({ tasks: ['one'], progress: '1/2', state: 'active' })
    report([{ sequence: 5, type: 'task_completed', task: 'two' }])
    expect(stage.session(id)).toMatchObject({ tasks: ['one', 'two'], state: 'completed' })
    expect(stage.names).toEqual([
      'checklist_started',
      'checklist_shown',
      'checklist_task_clicked',
      'checklist_task_clicked',
      'checklist_task_completed',
      'checklist_task_completed',
      'checklist_completed',
    ])
  })

  it('tells once a day that its first target is missing', () => {
    const stage = new Stage()
    const { id } = stage.claimed(TOUR)
    const missing = (sequence: number): Report => ({ sequence, type: 'target_missing', step: 'a', matches: 0 })
    stage.report(id, [missing(1), missing(2)])
    expect(stage.names).toEqual(['tooltip_target_missing'])
    stage.now += 86_400_000
    stage.report(stage.claimed(TOUR).id, [missing(1)])
    expect(stage.names).toHaveLength(2)
  })
})

const anyReport: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.record({ type: fc.constant('step_seen'), step: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ type: fc.constant('answered'), question: fc.constant('ease'), value: fc.integer({ min: 0, max: 10 }) }),
  fc.record({ type: fc.constantFrom('shown', 'hidden', 'completed') }),
  fc.record({ type: fc.constant('ended'), reason: fc.constantFrom('escape', 'timeout', 'button') }),
)

/** Some reports of one page, in the pieces in which a network may deliver them: repeated, overlapping, in order. */
const delivered = fc.array(anyReport, { minLength: 1, maxLength: 12 }).chain((reports) =>
  fc.record({
    reports: fc.constant([{ type: 'step_seen', step: 'a' }, ...reports]),
    cuts: fc.array(fc.tuple(fc.nat(13), fc.nat(13)), { maxLength: 10 }),
  }),
)

it('however the reports of a page are repeated and cut, what is stored and emitted is the same', () => {
  fc.assert(
    fc.property(delivered, ({ reports, cuts }) => {
      const numbered = reports.map((report, index) => ({ ...report, sequence: index + 1 })) as Report[]
      const once = new Stage()
      const first = once.claimed(TOUR).id
      for (const report of numbered) once.report(first, [report])
      const many = new Stage()
      const id = many.claimed(TOUR).id
      for (const [from, to] of [...cuts, [0, numbered.length] as const]) {
        const result = many.report(id, numbered.slice(Math.min(from, to), Math.max(from, to)))
        if (result instanceof ApiError) expect(['sequence_gap', 'invalid_params']).toContain(result.code)
      }
      expect([many.session(id), many.events]).toEqual([once.session(first), once.events])
    }),
    { numRuns: 300 },
  )
})

it('whatever browsers claim, release and wait for, never do two of them hold a session, and never do two flows have the slot', () => {
  const action = fc.record({
    holder: fc.constantFrom('one', 'two', 'three'),
    what: fc.constantFrom('claim', 'manual', 'see', 'release', 'hide', 'end', 'wait'),
    content: fc.constantFrom('tour', 'other'),
  })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const stage = new Stage()
      const shapes = {
        tour: TOUR,
        other: { ...TOUR, contentId: 'other', versionId: 'other-v1', when: { frequency: 'always' } as const },
      }
      stage.published.set('other', 'other-v1')
      const held = new Map<string, { id: string; epoch: number; sequence: number; shape: VersionShape }>()
      for (const { holder, what, content } of actions) {
        const own = held.get(holder)
        const next = (report: object) => {
          if (!own) return
          const call = { holder, epoch: own.epoch }
          const done = stage.report(own.id, [{ ...report, sequence: own.sequence + 1 } as Report], call, own.shape)
          if (!(done instanceof ApiError)) own.sequence = done.sequence
        }
        if (what === 'wait') stage.now += 25_000
        else if (what === 'release') own && releaseClaim(stage.change, { ...own, holder })
        else if (what === 'see') next({ type: 'step_seen', step: 'b' })
        else if (what === 'hide') next({ type: 'hidden' })
        else if (what === 'end') next({ type: 'ended', reason: 'escape' })
        else {
          const shape = shapes[content]
          const claimed = stage.claim(shape, holder, { reason: what === 'manual' ? 'manual' : 'auto' })
          if (!(claimed instanceof ApiError)) held.set(holder, { ...claimed.claim, shape })
        }
        const live = [...stage.history.claims.values()].filter(({ leaseUntil }) => leaseUntil > stage.now)
        const visible = live.filter(({ hiddenAt }) => hiddenAt === null || stage.now < hiddenAt + 8_000)
        expect(visible.length).toBeLessThanOrEqual(1)
        for (const { id, epoch } of live) expect(stage.session(id)?.epoch ?? epoch).toBe(epoch)
        for (const { started, contentId } of stage.history.states.values())
          expect([...stage.history.sessions.values()].filter((each) => each.contentId === contentId)).toHaveLength(
            started,
          )
        const starts = stage.names.filter((name) => name === 'flow_started').length
        expect([...stage.history.sessions.values()]).toHaveLength(starts)
      }
    }),
    { numRuns: 300 },
  )
})
