import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FlowDocument } from '../../contract/content/document.ts'
import { starters } from '../../contract/content/starters.ts'
import { changeBeforeSubmit, changeBeforeTransaction, changeInside } from '../support/change-meanwhile.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, firstAccount, memberOf, PASSWORD } from '../support/dashboard.ts'
import { countLockWaits } from '../support/lock-waits.ts'

/** Of two requests, the second comes between what the first has read and what it writes. */

let server: TestServer
let owner: Browser
beforeAll(async () => {
  server = await startTestServer()
  owner = await memberOf(server, 'owner')
})
afterAll(async () => await server.close())

const idOf = async (browser: Browser) => (await browser.call('getSession', {})).member.id

it('a link for a new password and an invitation that are made at the same time do not wait for each other', async () => {
  const member_id = await idOf(await memberOf(server, 'viewer'))
  let invited: ReturnType<typeof owner.send<'createInvitation'>> | undefined
  const linked = await changeInside(
    server.database,
    (text) => text.includes('insert into member_links'),
    async () => {
      invited = owner.send('createInvitation', { role: 'viewer' })
      await expect.poll(() => countLockWaits(server.database)).toBe(1)
    },
    () => owner.send('createPasswordLink', { member_id }),
  )
  expect([linked.status, (await invited)?.status]).toEqual([200, 200])
})

/** The entries of the audit log about something, or made in an environment. */
async function entriesOf(action: string, target: string) {
  const rows = await server.database.query<{ name: string; before: string | null; after: string | null }>(
    `select target_name as name, before::text, after::text from audit_entries
      where action = $1::text and (target_id = $2::text or environment = $2::text) order by id`,
    [action, target],
  )
  const parsed = (json: string | null) => json && JSON.parse(json)
  return rows.map(({ name, before, after }) => ({ name, before: parsed(before), after: parsed(after) }))
}

it('an environment that is renamed meanwhile is not deleted by its name of before', async () => {
  const { slug: environment } = await owner.call('createEnvironment', { name: 'Reviewed' })
  const answer = await changeBeforeTransaction(
    server.database,
    () => owner.call('renameEnvironment', { environment, name: 'Precious' }),
    () => owner.send('deleteEnvironment', { environment, name: 'Reviewed' }),
  )
  expect([answer.status, answer.code]).toEqual([400, 'invalid_params'])
  expect(answer.text).toContain('name: must be Precious')
  await owner.call('deleteEnvironment', { environment, name: 'Precious' })
  expect(await entriesOf('environment.deleted', environment)).toMatchObject([{ name: 'Precious' }])
})

it('the log of a renamed environment has the name that it had', async () => {
  const { slug: environment } = await owner.call('createEnvironment', { name: 'First' })
  await changeBeforeTransaction(
    server.database,
    () => owner.call('renameEnvironment', { environment, name: 'Second' }),
    () => owner.call('renameEnvironment', { environment, name: 'Third' }),
  )
  expect(await entriesOf('environment.renamed', environment)).toMatchObject([
    { before: { name: 'First' }, after: { name: 'Second' } },
    { before: { name: 'Second' }, after: { name: 'Third' } },
  ])
})

it('an environment that is deleted meanwhile is not found by a change of its name', async () => {
  const { slug: environment } = await owner.call('createEnvironment', { name: 'Gone' })
  const answer = await changeBeforeTransaction(
    server.database,
    () => owner.call('deleteEnvironment', { environment, name: 'Gone' }),
    () => owner.send('renameEnvironment', { environment, name: 'Back' }),
  )
  expect([answer.status, answer.code]).toEqual([404, 'not_found'])
})

it.each(['createKey', 'renameKey', 'revokeKey', 'createToken', 'addOrigin', 'createIdentitySecret'] as const)(
  'an environment that is deleted meanwhile is not found by %s',
  async (name) => {
    const { slug: environment } = await owner.call('createEnvironment', { name: 'Left' })
    const { id } = await owner.call('createKey', { environment, name: 'a key' })
    const inputs = {
      createKey: { environment, name: 'Late' },
      renameKey: { environment, key_id: String(id), name: 'Late' },
      revokeKey: { environment, key_id: String(id) },
      createToken: { environment, name: 'Late' },
      addOrigin: { environment, origin: 'https://late.example.com' },
      createIdentitySecret: { environment },
    }
    const answer = await changeBeforeTransaction(
      server.database,
      () => owner.call('deleteEnvironment', { environment, name: 'Left' }),
      () => owner.send(name, inputs[name] as never),
    )
    expect([answer.status, answer.code]).toEqual([404, 'not_found'])
    const [last] = await server.database.query<{ action: string }>(
      'select action from audit_entries where environment = $1::text or target_name = $2::text order by id desc limit 1',
      [environment, 'Left'],
    )
    expect(last?.action).toBe('environment.deleted')
  },
)

it('the log of a renamed key has the name that it had', async () => {
  const { id } = await owner.call('createKey', { environment: 'staging', name: 'First' })
  const key = { environment: 'staging', key_id: String(id) }
  let second: Promise<unknown> | undefined
  await changeInside(
    server.database,
    (text) => text.includes('update api_keys'),
    async () => {
      second = owner.call('renameKey', { ...key, name: 'Third' })
      await expect.poll(() => countLockWaits(server.database)).toBe(1)
    },
    () => owner.call('renameKey', { ...key, name: 'Second' }),
  )
  await second
  expect(await entriesOf('key.renamed', String(id))).toMatchObject([
    { before: { name: 'First' }, after: { name: 'Second' } },
    { before: { name: 'Second' }, after: { name: 'Third' } },
  ])
})

it('a replay that is over is not recorded as cancelled', async () => {
  const { id: endpoint_id } = await owner.call('createEndpoint', {
    environment: 'staging',
    url: 'http://127.0.0.1:9/hook',
    topics: ['*'],
  })
  const at = { environment: 'staging', endpoint_id }
  const { id: replay_id } = await owner.call('startReplay', { ...at, since: new Date(0).toISOString() })
  const stateOf = async () => (await owner.call('listReplays', at)).data[0]?.state
  await expect.poll(stateOf).toBe('finished')
  expect((await owner.call('cancelReplay', { ...at, replay_id })).state).toBe('finished')
  expect(await entriesOf('endpoint.replay_cancelled', endpoint_id)).toEqual([])
})

it('a change of nothing does not take back what another owner has set, and the log has what was there', async () => {
  await changeBeforeTransaction(
    server.database,
    () => owner.call('updateAccount', { idle_hours: 12 }),
    () => owner.call('updateAccount', {}),
  )
  expect((await owner.call('getSession', {})).account.idle_hours).toBe(12)
  await owner.call('updateAccount', { idle_hours: null })
  const entries = await entriesOf('account.changed', String(await firstAccount(server.database)))
  expect(entries.map(({ before, after }) => [before.idle_hours, after.idle_hours])).toEqual([
    [null, 12],
    [12, 12],
    [12, null],
  ])
})

it('a member who is removed meanwhile changes neither name nor password, and is told so', async () => {
  const own = {
    updateProfile: { name: 'Late' },
    changePassword: { current_password: PASSWORD, new_password: 'a new password' },
  }
  for (const name of ['updateProfile', 'changePassword'] as const) {
    const leaver = await memberOf(server, 'member')
    const member_id = await idOf(leaver)
    const answer = await changeBeforeTransaction(
      server.database,
      () => owner.call('removeMember', { member_id }),
      () => leaver.send(name, own[name] as never),
    )
    expect([answer.status, answer.code]).toEqual([401, 'not_signed_in'])
    for (const action of ['member.renamed', 'member.password_changed'])
      expect(await entriesOf(action, member_id)).toEqual([])
  }
})

const environment = 'staging'
const flow = starters[0]?.document as FlowDocument

/** Somebody else makes another content or segment with the same key in its place. */
it('a draft is not saved to another content of the same key, which was made after its own was deleted', async () => {
  const { id: content_id, key } = await owner.call('createContent', { environment, document: flow })
  const { draft } = await owner.call('getContent', { environment, content_id })
  let other: string | undefined
  const answer = await changeBeforeSubmit(
    server.services.commits,
    async () => {
      await owner.call('deleteContent', { environment, content_id })
      const made = await owner.call('createContent', { environment, document: { ...flow, key } })
      expect(made.key).toBe(key)
      other = made.id
    },
    () =>
      owner.send('saveDraft', {
        ...{ environment, content_id, expected_draft: draft.revision },
        document: { ...(draft.document as FlowDocument), name: 'Of the deleted one' },
      }),
  )
  expect([answer.status, answer.code]).toEqual([409, 'draft_changed'])
  expect((await owner.call('getContent', { environment, content_id: other as string })).name).toBe(flow.name)
})

it('a copy says whether it has created the content', async () => {
  const { id: content_id, key } = await owner.call('createContent', { environment, document: flow })
  const to = 'production'
  const copied = await changeBeforeSubmit(
    server.services.commits,
    () => owner.call('createContent', { environment: to, document: { ...flow, key } }),
    () => owner.call('copyContent', { environment, content_id, to }),
  )
  expect(copied.is_new).toBe(false)
})

it('a segment of the same key, made after the segment was deleted, is neither changed nor deleted', async () => {
  const condition = { attribute: 'plan', is: 'equals', value: 'growth' } as const
  const segment = { environment, key: 'growing', name: 'Growing', scope: 'user', condition } as const
  const replaced = async (
    send: (segment_id: string) => ReturnType<typeof owner.send<'updateSegment' | 'deleteSegment'>>,
  ) => {
    const { id } = await owner.call('createSegment', segment)
    const answer = await changeBeforeSubmit(
      server.services.commits,
      async () => {
        await owner.call('deleteSegment', { environment, segment_id: id })
        await owner.call('createSegment', { ...segment, name: 'Another' })
      },
      () => send(id),
    )
    const { data } = await owner.call('listSegments', { environment })
    expect(data.map(({ name }) => name)).toEqual(['Another'])
    await owner.call('deleteSegment', { environment, segment_id: 'growing' })
    return answer.status
  }
  expect(await replaced((segment_id) => owner.send('deleteSegment', { environment, segment_id }))).toBe(200)
  const changed = { environment, name: 'Changed', condition } as const
  expect(await replaced((segment_id) => owner.send('updateSegment', { ...changed, segment_id }))).toBe(404)
})

it('a segment that is deleted meanwhile does not come back by a change', async () => {
  const condition = { attribute: 'plan', is: 'equals', value: 'growth' } as const
  const { id: segment_id } = await owner.call('createSegment', {
    ...{ environment, key: 'left', name: 'Left', condition },
    scope: 'user',
  })
  const answer = await changeBeforeSubmit(
    server.services.commits,
    () => owner.call('deleteSegment', { environment, segment_id }),
    () => owner.send('updateSegment', { environment, segment_id, name: 'Back', condition }),
  )
  expect([answer.status, answer.code]).toEqual([404, 'not_found'])
  expect((await owner.call('listSegments', { environment })).data).toEqual([])
})
