import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import { exampleFlow } from '../../contract/content/examples.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
let contentId: string
beforeAll(async () => {
  server = await startTestServer()
  for (const id of ['ada', 'eve', 'new']) await server.client.post('/users', { id })
  const { body } = await server.client.post('/content', { ...exampleFlow, who: undefined, key: 'tour' })
  contentId = body.id
  await server.client.post(`/content/${contentId}/publish`, {})
  await state('ada', { last_started_at: '2 days', completed_at: '1 day' })
  await state('eve', { last_started_at: '20 days', dismissed_at: '20 days', active_session_id: contentId })
  await answer('ada', { number_answer: 3 }, '3 days')
  await answer('ada', { number_answer: 9 }, '1 day')
  await answer('eve', { list_answer: '["red","blue"]' }, '1 day')
})
afterAll(() => server.close())

async function state(userId: string, columns: Record<string, string>): Promise<void> {
  const names = Object.keys(columns)
  const values = names.map((name) =>
    name.endsWith('_at') ? `now() - interval '${columns[name]}'` : `'${columns[name]}'`,
  )
  await server.database.query(
    `insert into content_states (environment_id, user_id, content_id, started, ${names.join(', ')})
     values ($1::int, $2::text, $3::uuid, 1, ${values.join(', ')})`,
    [server.environmentId, userId, contentId],
  )
}

async function answer(userId: string, value: Record<string, unknown>, ago: string): Promise<void> {
  const [[name, stored]] = Object.entries(value) as [[string, unknown]]
  await server.database.query(
    `insert into content_answers (environment_id, session_id, question, id, user_id, content_id, version_id, name, ${name},
       epoch, sequence, created_at)
     values ($1::int, gen_random_uuid(), 'ease', gen_random_uuid(), $2::text, $3::uuid, $3::uuid, 'x', $4, 1, 1,
       now() - $5::interval)`,
    [server.environmentId, userId, contentId, stored, ago],
  )
}

it.each<[Condition, string[]]>([
  [{ content: 'tour', is: 'seen' }, ['ada', 'eve']],
  [{ content: 'tour', is: 'seen', within: '7d' }, ['ada']],
  [{ content: 'tour', is: 'not_seen' }, ['new']],
  [{ content: 'tour', is: 'not_seen', within: '7d' }, ['eve', 'new']],
  [{ content: 'tour', is: 'completed' }, ['ada']],
  [{ content: 'tour', is: 'dismissed' }, ['eve']],
  [{ content: 'tour', is: 'active' }, ['eve']],
  [{ content: 'other', is: 'seen' }, []],
  [{ answer: 'tour', question: 'ease', is: 'at_least', value: 7 }, ['ada']],
  [{ answer: 'tour', question: 'ease', is: 'at_most', value: 7 }, []],
  [{ answer: 'tour', question: 'ease', is: 'contains', value: 'blue' }, ['eve']],
  [{ answer: 'tour', question: 'ease', is: 'missing' }, ['new']],
])('%j selects the same users in SQL, in memory, and in a decision', async (condition, expected) => {
  const count = (await server.client.post('/segments/count', { condition })).body.count
  const { body: saved } = await server.client.post('/content', {
    ...exampleFlow,
    key: 'asked',
    who: condition,
    when: { frequency: 'always' },
  })
  const users = ['ada', 'eve', 'new']
  const explained = await Promise.all(
    users.map(async (user_id) => (await server.client.post('/segments/explain', { condition, user_id })).body.met),
  )
  const decided = await Promise.all(
    users.map(async (user_id) => {
      const { body } = await server.client.post('/decisions', { user_id, content: 'asked', receipts: true })
      return body.receipts[0].gates.find(({ gate }: { gate: string }) => gate === 'who').open
    }),
  )
  expect(saved.key).toBe('asked')
  expect(users.filter((_, index) => explained[index])).toEqual(expected)
  expect(users.filter((_, index) => decided[index])).toEqual(expected)
  expect(count).toBe(expected.length)
})
