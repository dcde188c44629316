import { afterAll, beforeAll, expect, it } from 'vitest'
import { Answers } from '../drill/answers.ts'
import { audit } from '../drill/audit.ts'
import { FlowAnswers } from '../drill/flow-answers.ts'
import { auditFlows, type StoredSession } from '../drill/flow-audit.ts'
import { FLICKERING, STEADY } from '../drill/flows.ts'
import type { NotificationReceiver } from '../drill/receiver.ts'
import { newId } from '../server/ids.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from './support/database.ts'

/** The audit of the drill finds each kind of loss and duplicate that a defect would cause. */

const [first, second] = [newId(), newId()]
let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
  const environmentId = await createEnvironment(test.database)
  const at = new Date().toISOString()
  await test.database.query(
    `insert into events (environment_id, id, name, user_id, attributes, time, created_at)
     select $1::int, id, 'drilled', 'counter-0', jsonb_build_object('mark', mark), $4::timestamptz, $4::timestamptz
       from unnest($2::uuid[], $3::text[]) as given (id, mark)`,
    [environmentId, [first, second], ['e1', 'e2'], at],
  )
  await test.database.query(
    `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
     values ($1::int, 'counter-0', '{"n": 2}', $2::timestamptz, '', '', '')`,
    [environmentId, at],
  )
})
afterAll(() => test.close())

const counter = 'counter-0'

function scene() {
  const answers = new Answers()
  answers.settle({ kind: 'event', mark: 'e1', counter }, { kind: 'stored', id: first })
  answers.settle({ kind: 'event', mark: 'e2', counter }, { kind: 'stored', id: second })
  answers.settle({ kind: 'add', counter }, { kind: 'stored', id: counter })
  answers.settle({ kind: 'add', counter }, { kind: 'stored', id: counter })
  const receiver: NotificationReceiver = {
    url: '',
    events: new Set([first, second]),
    users: new Set(),
    values: new Map([[counter, new Set([1, 2])]]),
    marks: new Set(['e1', 'e2']),
    received: 4,
    close: async () => {},
  }
  return { answers, receiver }
}

type Scene = ReturnType<typeof scene>
const found = async ({ answers, receiver }: Scene) => (await audit(test.url, answers, receiver)).join('; ')

it('finds no problem when everything is stored as answered', async () => {
  expect(await found(scene())).toBe('')
})

it.each<[string, (scene: Scene) => unknown]>([
  ['acknowledged events that are not stored', ({ answers }) => answers.events.set('lost', newId())],
  ['acknowledged events that are not stored', ({ answers }) => answers.events.set('e1', newId())],
  ['events that nobody sent', ({ answers }) => answers.events.delete('e1')],
  ['refused events that are stored', ({ answers }) => answers.refused.add('e2')],
  ['counter-0 is 2; 3 to 3', ({ answers }) => answers.added.set(counter, 3)],
  ['counter-0 is 2; 1 to 1', ({ answers }) => answers.added.set(counter, 1)],
  ['acknowledged users that are not stored', ({ answers }) => answers.users.add('lost')],
  ['deleted users that are stored', ({ answers }) => answers.deleted.add(counter)],
  ['users without their group', ({ answers }) => answers.users.add(counter)],
  ['events without a notification', ({ receiver }) => receiver.events.delete(first)],
  ['notifications of events that are not stored', ({ receiver }) => receiver.events.add(newId())],
  ['values of counter-0 without a notification', ({ receiver }) => receiver.values.get(counter)?.delete(1)],
  ['values of counter-0 that it never had', ({ receiver }) => receiver.values.get(counter)?.add(3)],
  ['notifications of refused writes', ({ answers, receiver }) => receiver.marks.add('no') && answers.refused.add('no')],
])('finds %s', async (problem, damage) => {
  const damaged = scene()
  damage(damaged)
  expect(await found(damaged)).toContain(problem)
})

/** A user that has gone through a flow, as it is stored. */
function guided() {
  const answers = new FlowAnswers()
  answers.acknowledge('s1', { userId: 'u1', content: STEADY, sequence: 5, ease: 9 })
  const events = { flow_started: 1, flow_step_seen: 2, question_answered: 1, flow_completed: 1, flow_ended: 1 }
  const [created_at, ended_at] = [new Date(1_000), new Date(2_000)]
  const stored: StoredSession = {
    ...{ id: 's1', user_id: 'u1', content: STEADY, sequence: 5, state: 'completed', steps: 2, ease: 9, events },
    ...{ created_at, completed_at: ended_at, ended_at },
  }
  return { answers, stored: [stored], session: stored }
}

type Guided = ReturnType<typeof guided>

it('finds no problem in a flow that is stored as it was acknowledged', () => {
  const { answers, stored } = guided()
  expect(auditFlows(answers, stored)).toEqual([])
})

it.each<[string, (scene: Guided) => unknown]>([
  ['progress is lost', ({ stored }) => stored.pop()],
  ['progress is lost', ({ session }) => Object.assign(session, { ease: 3 })],
  ['progress is lost', ({ session }) => Object.assign(session, { state: 'active' })],
  ['progress is lost', ({ session }) => Object.assign(session, { sequence: 4 })],
  ['sessions of a user that has one already', ({ stored, session }) => stored.push({ ...session, id: 's2' })],
  [
    'users with two flows at a time',
    ({ stored, session }) => stored.push({ ...session, id: 's2', content: FLICKERING, created_at: new Date(1_500) }),
  ],
  [
    'users with two flows at a time',
    ({ stored, session }) =>
      Object.assign(session, { ended_at: null }) &&
      stored.push({ ...session, id: 's2', content: FLICKERING, created_at: new Date(3_000) }),
  ],
  ['an event twice', ({ session }) => Object.assign(session.events, { flow_completed: 2 })],
  ['without one of theirs', ({ session }) => Reflect.deleteProperty(session.events, 'flow_completed')],
])('finds in a flow: %s', (problem, damage) => {
  const damaged = guided()
  damage(damaged)
  expect(auditFlows(damaged.answers, damaged.stored).join('; ')).toContain(problem)
})
