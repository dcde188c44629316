import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { internalAttributes } from '../../contract/attributes.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import { advisoryLocks } from '../../server/database/advisory-locks.ts'
import { findRuns } from '../../server/results/queries.ts'
import { sumRuns } from '../../server/results/sum.ts'
import { SessionEnder } from '../../server/sessions/ender.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { publishTest, tour } from '../support/content.ts'

let server: TestServer
let users = 0
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const post = async (path: string, body: object = {}, headers?: Record<string, string>) =>
  await server.client.post(path, body, headers)
const get = async (path: string) => (await server.client.get(path)).body

async function newUser(attributes: object = { name: 'Ada' }): Promise<string> {
  users += 1
  const id = `user-${users}`
  await post('/users', { id, attributes })
  return id
}

const publish = (key: string, more = {}) => publishTest(server.database, server.environmentId, tour(key, more))

/** A claim of this content whose first step was seen. */
async function running(content: string, userId: string, holder = 'h'): Promise<string> {
  const { body } = await post('/content_sessions', { content, user_id: userId, holder })
  await post(`/content_sessions/${body.id}/progress`, {
    holder,
    reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }],
  })
  return body.id
}

async function eventsOf(userId: string) {
  const { data } = await get(`/events?user_id=${userId}&limit=100&order_by=created_at`)
  return data as { name: string; attributes: Record<string, unknown> }[]
}

it('reports and ends are found by an id in upper case, as reads are, and so is the version of a claim', async () => {
  const { versionId } = await publish('upper-case')
  const user = await newUser()
  const call = { content: 'upper-case', user_id: user, version_id: versionId.toUpperCase(), holder: 'h' }
  const { status, body } = await post('/content_sessions', call)
  expect(status).toBe(200)
  const upper = body.id.toUpperCase()
  const reports = [{ sequence: 1, type: 'step_seen', step: 'hello' }]
  const reported = await post(`/content_sessions/${upper}/progress`, { holder: 'h', reports })
  expect([reported.status, reported.body.progress]).toEqual([200, '1/2'])
  expect((await post(`/content_sessions/${upper}/end`)).body).toMatchObject({ id: body.id, state: 'ended' })
})

it('claims, shows, answers and completes a flow by the API alone', async () => {
  const { id: contentId, versionId } = await publish('whole')
  const user = await newUser()
  const { status, body: claim } = await post('/content_sessions', { content: 'whole', user_id: user, holder: 'phone' })
  expect(status).toBe(200)
  expect(claim).toMatchObject({
    object: 'content_claim',
    content_id: contentId,
    version_id: versionId,
    epoch: 1,
    sequence: 0,
  })
  expect(JSON.stringify(claim.document)).toContain('Ada')
  const progress = `/content_sessions/${claim.id}/progress`
  const { body: session } = await post(progress, {
    ...{ holder: 'phone', epoch: 1, page: { url: 'https://ada:secret@app.example.com/a?secret=1#x', locale: 'en' } },
    reports: [
      { sequence: 1, type: 'step_seen', step: 'hello' },
      { sequence: 2, type: 'step_seen', step: 'ask' },
      { sequence: 3, type: 'answered', question: 'ease', value: 0 },
    ],
  })
  expect(session).toMatchObject({ id: claim.id, state: 'active', progress: '2/2', completed: false, user_id: user })
  const ended = await post(progress, {
    holder: 'phone',
    reports: [
      { sequence: 4, type: 'completed' },
      { sequence: 5, type: 'ended', reason: 'button' },
    ],
  })
  expect(ended.body).toMatchObject({ state: 'completed', completed: true, end_reason: 'button' })
  const read = await get(`/content_sessions/${claim.id}?expand=answers,user,receipt`)
  expect(read).toMatchObject({
    ...{ state: 'completed', user: { id: user } },
    answers: [{ question_cvid: 'ease', answer_type: 'number', answer_value: '0', question_name: 'How easy was that?' }],
  })
  const events = await eventsOf(user)
  expect(events.map(({ name }) => name)).toEqual([
    'flow_started',
    'flow_step_seen',
    'flow_step_seen',
    'question_answered',
    'flow_completed',
    'flow_ended',
  ])
  expect(events[0]?.attributes).toEqual({
    ...{ flow_id: contentId, flow_version_id: versionId, flow_session_id: claim.id, flow_name: 'Tour whole' },
    ...{ flow_version_number: 1, flow_start_reason: 'auto', page_url: 'https://app.example.com/a', locale_code: 'en' },
  })
})

it('hands out content without a theme in the look of the default theme, before and after that is changed', async () => {
  await publish('unthemed')
  const accent = async () => {
    const claim = { content: 'unthemed', user_id: await newUser(), holder: 'h' }
    return (await post('/content_sessions', claim)).body.document.theme.light.accent
  }
  expect(await accent()).toBe(defaultTheme.light.accent)
  await post('/themes', { ...defaultTheme, light: { ...defaultTheme.light, accent: '#123456' } })
  expect(await accent()).toBe('#123456')
})

it('remembers which flows a user has seen: a flow that was seen is not claimed again', async () => {
  await publish('seen')
  const user = await newUser()
  const id = await running('seen', user)
  await post(`/content_sessions/${id}/end`)
  const again = await post('/content_sessions', { content: 'seen', user_id: user, holder: 'h' })
  expect([again.status, again.body.error.code]).toEqual([409, 'already_seen'])
  expect((await get(`/content_sessions?user_id=${user}`)).data).toMatchObject([
    { id, state: 'ended', end_reason: 'api' },
  ])
})

it('tells a holder that was replaced so, and stores only the answers of its reports', async () => {
  await publish('replaced-holder')
  const user = await newUser()
  const id = await running('replaced-holder', user)
  const progress = (holder: string, reports: object[]) => post(`/content_sessions/${id}/progress`, { holder, reports })
  const seen = { sequence: 2, type: 'step_seen', step: 'ask' }
  expect((await progress('other', [seen])).body).toMatchObject({ holder: false, sequence: 1, progress: '1/2' })
  expect((await progress('h', [seen])).body).toMatchObject({ holder: true, sequence: 2, progress: '2/2' })
})

it('stores the reports of a holder whose lease is over, while nobody else has claimed it', async () => {
  await publish('late-holder')
  const user = await newUser()
  const id = await running('late-holder', user)
  await server.database.query("update content_claims set lease_until = now() - interval '1 s' where id = $1", [id])
  const reports = [{ sequence: 2, type: 'step_seen', step: 'ask' }]
  const { body } = await post(`/content_sessions/${id}/progress`, { holder: 'h', epoch: 1, reports })
  expect(body).toMatchObject({ holder: false, sequence: 2, progress: '2/2' })
})

it('refuses a claim of unknown users, of unknown and of unpublished content, and of another version', async () => {
  const { id } = await publish('refused')
  const user = await newUser()
  const claim = async (more: object) => {
    const { status, body } = await post('/content_sessions', {
      content: 'refused',
      user_id: user,
      holder: 'h',
      ...more,
    })
    return [status, body.error?.code]
  }
  expect(await claim({ user_id: 'nobody' })).toEqual([409, 'user_unknown'])
  expect(await claim({ content: 'nothing' })).toEqual([404, 'not_found'])
  expect(await claim({ version_id: id })).toEqual([409, 'version_changed'])
  expect(await claim({ group_id: 'elsewhere' })).toEqual([400, 'invalid_params'])
  await server.database.query('update content set published_version_id = null where key = $1', ['refused'])
  expect(await claim({})).toEqual([409, 'not_published'])
})

it('a browser whose claim was never shown gets the version that was published since, and no other browser does', async () => {
  const save = async (name: string) => {
    const { body } = await post('/content', tour('versions', { name }))
    return (await post(`/content/${body.id}/publish`)).body.published_version_id as string
  }
  const claim = async (holder: string) =>
    (await post('/content_sessions', { content: 'versions', user_id: user, holder })).body
  await save('One')
  const user = await newUser()
  const first = await claim('phone')
  const second = await save('Two')
  expect((await claim('laptop')).error.code).toBe('claimed')
  const again = await claim('phone')
  expect(again).toMatchObject({ version_id: second, epoch: 1, sequence: 0 })
  expect(again.id).not.toBe(first.id)
  const seen = { holder: 'phone', reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] }
  expect((await post(`/content_sessions/${first.id}/progress`, seen)).status).not.toBe(200)
  expect((await post(`/content_sessions/${again.id}/progress`, seen)).body).toMatchObject({ state: 'active' })
  expect((await get(`/content_sessions?user_id=${user}`)).data).toHaveLength(1)
})

it('names a gap, every problem of a refused request, and stores nothing of either', async () => {
  await publish('refusals')
  const user = await newUser()
  const id = await running('refusals', user)
  const report = (reports: object[]) => post(`/content_sessions/${id}/progress`, { holder: 'h', reports })
  const gap = await report([{ sequence: 3, type: 'completed' }])
  expect([gap.status, gap.body.error.code, gap.body.error.message]).toEqual([
    409,
    'sequence_gap',
    expect.stringContaining('1, and 2 is missing'),
  ])
  const wrong = await report([
    { sequence: 2, type: 'step_seen', step: 'gone' },
    { sequence: 3, type: 'answered', question: 'ease', value: 'ten' },
    { sequence: 4, type: 'answered', question: 'why' },
  ])
  expect(wrong.status).toBe(400)
  expect(wrong.body.error.message).toBe(
    "reports[0].step: the version of this session has no step 'gone'; reports[1].value: must be a whole number from 0 to 10; reports[2].value: is required",
  )
  expect(await get(`/content_sessions/${id}`)).toMatchObject({ progress: '1/2', state: 'active' })
  expect(await eventsOf(user)).toHaveLength(2)
})

it('lists sessions by content and by user, in both orders, with filters', async () => {
  const { id: content } = await publish('listed')
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) ids.push(await running('listed', await newUser()))
  await post(`/content_sessions/${ids[0]}/progress`, { holder: 'h', reports: [{ sequence: 2, type: 'completed' }] })
  const idsOf = async (query: string) =>
    (await get(`/content_sessions?content_id=${content}&${query}`)).data.map(({ id }: { id: string }) => id)
  expect(await idsOf('')).toEqual(ids)
  expect(await idsOf('order_by=-created_at&limit=2')).toEqual([ids[2], ids[1]])
  expect(await idsOf('order_by=-last_activity_at&limit=1')).toEqual([ids[0]])
  expect(await idsOf(`order_by=last_activity_at&starting_after=${ids[1]}`)).toEqual([ids[2], ids[0]])
  expect(await idsOf('completed=true')).toEqual([ids[0]])
  expect(await idsOf('completed=false')).toEqual([ids[1], ids[2]])
  expect(await idsOf('created_at[gte]=2100-01-01')).toEqual([])
  const [first] = (await get(`/content_sessions?content_id=${content}&expand[]=answers&expand[]=user`)).data
  expect(first).toMatchObject({ answers: [], user: { object: 'user' }, group: null })
  expect((await get('/content_sessions?content_id=not-an-id')).data).toEqual([])
  await server.client.delete(`/content_sessions/${ids[1]}`)
  const gone = await server.client.get(`/content_sessions?starting_after=${ids[1]}`)
  expect(gone.body.error.message).toBe(`starting_after: Content session with id '${ids[1]}' not found`)
})

it('expands users, groups, content and versions below a session, in reads and in the answers of writes', async () => {
  const { id: content } = await publish('deep')
  const user = await newUser()
  await post('/users', { id: user, groups: [{ id: 'deep-group' }] })
  const { body: claim } = await post('/content_sessions', { content: 'deep', user_id: user, holder: 'h' })
  const paths = 'user.memberships.group,group.users,content.published_version.questions,version.content,answers'
  const deep = {
    answers: [],
    content: {
      id: content,
      published_version: { questions: [{ cvid: 'ease' }, { cvid: 'why' }] },
      draft_version: null,
    },
    group: { id: 'deep-group', users: [{ id: user }], memberships: null },
    user: { id: user, memberships: [{ group: { id: 'deep-group' } }], groups: null },
    version: { id: claim.version_id, content: { id: content }, questions: null },
    receipt: null,
  }
  const progress = `/content_sessions/${claim.id}/progress`
  const seen = { holder: 'h', reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] }
  const key = { 'idempotency-key': 'deep' }
  const { status, body } = await post(`${progress}?expand=${paths}`, seen, key)
  expect([status, body]).toEqual([200, expect.objectContaining({ holder: true, sequence: 1 })])
  expect(body).toMatchObject(deep)
  expect((await post(`${progress}?expand=${paths}`, seen, key)).body).toEqual(body)
  const { holder: _, sequence: __, ...session } = body
  expect(await get(`/content_sessions/${claim.id}?expand=${paths}`)).toEqual(session)
  expect((await get(`/content_sessions?user_id=${user}&expand=${paths}`)).data).toEqual([session])
  const reported = await post(progress, { holder: 'h', reports: [], expand: ['user_id', 'content'] })
  expect(reported.body).toMatchObject({ user: { id: user }, content: { id: content }, version: null })
  const ended = await post(`/content_sessions/${claim.id}/end`, { expand: 'user.groups' })
  expect(ended.body).toMatchObject({ state: 'ended', user: { groups: [{ id: 'deep-group' }] }, content: null })
})

it('a wrong path of expand is refused before anything is stored', async () => {
  await publish('refused-path')
  const user = await newUser()
  const id = await running('refused-path', user)
  const { status, body } = await post(`/content_sessions/${id}/end?expand=user.plan`)
  expect([status, body.error.message]).toEqual([
    400,
    "expand: 'user.plan' is not a path; a user can expand groups, memberships",
  ])
  const five = await server.client.get(`/content_sessions?expand=user.groups.users.groups.users`)
  expect(five.body.error.message).toContain(
    'has more than 4 levels; a content_session can expand answers, content, group, receipt, user, version; a content can',
  )
  expect(await get(`/content_sessions/${id}`)).toMatchObject({ state: 'active', ended_at: null })
})

it('shows content again to a user whose sessions are forgotten', async () => {
  await publish('again')
  const user = await newUser()
  const id = await running('again', user)
  expect((await post('/content_sessions', { content: 'again', user_id: user, holder: 'other' })).status).toBe(409)
  await server.client.delete(`/content_sessions?content=again&user_id=${user}`)
  expect((await server.client.get(`/content_sessions/${id}`)).status).toBe(404)
  const { status, body } = await post('/content_sessions', { content: 'again', user_id: user, holder: 'other' })
  expect([status, body.epoch]).toEqual([200, 1])
})

/** A claim that was shown, completed, and is still on the screen. */
async function completedOnScreen(content: string, userId: string): Promise<string> {
  const id = await running(content, userId)
  await post(`/content_sessions/${id}/progress`, { holder: 'h', reports: [{ sequence: 2, type: 'completed' }] })
  return id
}

const claimCode = async (content: string, userId: string) => {
  const { status, body } = await post('/content_sessions', { content, user_id: userId, holder: 'h' })
  return body.error?.code ?? status
}

it('a session that is deleted does not make those count again that a publication let begin anew', async () => {
  const document = tour('begun-anew', { when: { frequency: 'always', at_most: 2 } })
  const { id } = await published(document)
  const user = await newUser()
  const before: string[] = []
  for (let run = 0; run < 2; run += 1) {
    before.push(await running('begun-anew', user))
    await post(`/content_sessions/${before[run]}/end`)
  }
  expect(await claimCode('begun-anew', user)).toBe('at_most_reached')
  await post('/content', { ...document, name: 'Changed' })
  await post(`/content/${id}/publish`, { inside: 'restart_all' })
  await post(`/content_sessions/${await running('begun-anew', user)}/end`)
  await server.client.delete(`/content_sessions/${before[0]}`)
  expect(await claimCode('begun-anew', user)).toBe(200)
  await post(`/content_sessions/${await running('begun-anew', user)}/end`)
  await server.client.delete(`/content_sessions/${before[1]}`)
  expect(await claimCode('begun-anew', user)).toBe('at_most_reached')
})

it('a completed session that is on the screen when its users begin anew still counts, and is forgotten when it is deleted', async () => {
  const { id } = await published(tour('completed-inside'))
  const user = await newUser()
  const session = await completedOnScreen('completed-inside', user)
  await post('/content', { ...tour('completed-inside'), name: 'Changed' })
  await post(`/content/${id}/publish`, { inside: 'restart' })
  expect(await claimCode('completed-inside', user)).toBe('already_seen')
  await server.client.delete(`/content_sessions/${session}`)
  expect(await claimCode('completed-inside', user)).toBe(200)
})

it('a session that its publisher has ended begins no quiet period, also when another one is deleted', async () => {
  const document = tour('no-quiet', { when: { frequency: 'always' } })
  const { id } = await published(document)
  const user = await newUser()
  const first = await running('no-quiet', user)
  await post(`/content_sessions/${first}/end`)
  await running('no-quiet', user)
  await post('/content', { ...document, name: 'Changed' })
  await post(`/content/${id}/publish`, { inside: 'end' })
  await post(`/content_sessions/${(await get(`/content_sessions?user_id=${user}`)).data[1].id}/end`)
  await server.client.delete(`/content_sessions/${first}`)
  const [state] = await server.database.query('select last_ended_at from content_states where user_id = $1', [user])
  expect(state).toEqual({ last_ended_at: null })
})

it('deletes the flow history with the user, and a new user of the same id begins anew', async () => {
  await publish('deleted')
  const user = await newUser()
  const id = await running('deleted', user)
  await post(`/content_sessions/${id}/progress`, {
    holder: 'h',
    reports: [{ sequence: 2, type: 'answered', question: 'why', value: 'x' }],
  })
  await server.client.delete(`/users/${user}`)
  expect((await server.client.get(`/content_sessions/${id}`)).status).toBe(404)
  for (const table of ['content_claims', 'content_sessions', 'content_states', 'content_answers'])
    expect(await server.database.query(`select 1 from ${table} where user_id = $1`, [user]), table).toEqual([])
  expect((await post(`/content_sessions/${id}/progress`, { holder: 'h', reports: [] })).status).toBe(404)
  await post('/users', { id: user })
  expect((await post('/content_sessions', { content: 'deleted', user_id: user, holder: 'h' })).status).toBe(200)
})

it('keeps the sessions of a deleted group, without the group', async () => {
  await publish('grouped')
  const user = await newUser()
  await post('/users', { id: user, groups: [{ id: 'team' }] })
  const claim = await post('/content_sessions', { content: 'grouped', user_id: user, group_id: 'team', holder: 'h' })
  const reports = [{ sequence: 1, type: 'step_seen', step: 'hello' }]
  const { body } = await post(`/content_sessions/${claim.body.id}/progress`, { holder: 'h', reports })
  expect(body.group_id).toBe('team')
  expect((await eventsOf(user))[0]).toMatchObject({ group_id: 'team' })
  await server.client.delete('/groups/team')
  expect(await get(`/content_sessions/${body.id}`)).toMatchObject({ group_id: null, user_id: user })
})

it('a session whose user is in several groups has no id of one of them that is deleted', async () => {
  await publish('of-several', { who: { attribute: 'plan', of: 'group', is: 'missing' } })
  const user = await newUser()
  await post('/users', { id: user, groups: [{ id: 'first-of-two' }, { id: 'second-of-two' }] })
  const id = await running('of-several', user)
  await server.client.delete('/groups/first-of-two')
  const session = await get(`/content_sessions/${id}?expand=receipt`)
  expect(session.receipt.gates.find(({ gate }: { gate: string }) => gate === 'who').leaves[0].sentence).toBe(
    "the group's plan is missing (no group was named, and the user is in several)",
  )
  const held = JSON.stringify([session, await get(`/users/${user}/export`)])
  expect(held).not.toContain('first-of-two')
  expect(held).toContain('second-of-two')
})

it('a session has nothing of a deleted group from the answer to the deletion on, also while its row still has it', async () => {
  await publish('left-group', { who: { attribute: 'plan', of: 'group', is: 'exists' } })
  const user = await newUser()
  await post('/users', { id: user, groups: [{ id: 'left-team', attributes: { plan: 'pro' } }] })
  const id = await running('left-group', user)
  const read = async () => {
    const { content_sessions } = await get(`/users/${user}/export`)
    return [content_sessions[0], await get(`/content_sessions/${id}?expand=receipt`)]
  }
  for (const session of await read())
    expect(session).toMatchObject({ group_id: 'left-team', receipt: { outcome: 'show' } })
  // The steps of a deletion pass over what is locked; reports do not wait for this lock.
  const locking = await server.database.pool.connect()
  await locking.query('begin')
  const lock = 'select from content_sessions where environment_id = $1::int and id = $2::uuid for key share'
  await locking.query(lock, [server.environmentId, id])
  await server.client.delete('/groups/left-team')
  for (const session of await read()) expect(session).toMatchObject({ group_id: null, receipt: null })
  const asked = { holder: 'h', epoch: 1, reports: [{ sequence: 2, type: 'step_seen', step: 'ask' }] }
  const { body } = await post(`/content_sessions/${id}/progress`, asked)
  expect(body).toMatchObject({ group_id: null, progress: '2/2' })
  expect((await post(`/content_sessions/${id}/end`)).body.group_id).toBe(null)
  expect((await eventsOf(user)).map((event) => [event.name, (event as { group_id?: string }).group_id])).toEqual([
    ['flow_step_seen', null],
    ['flow_ended', null],
  ])
  const stored = 'select group_id, receipt from content_sessions where id = $1::uuid'
  expect((await locking.query(stored, [id])).rows[0].group_id).toBe('left-team')
  await locking.query('commit')
  locking.release()
  await expect.poll(async () => await server.database.query(stored, [id])).toEqual([{ group_id: null, receipt: null }])
})

it('lists the eight internal attributes with their types, and refuses them in a request', async () => {
  const { data } = await get('/attribute_definitions?scope=event&limit=100')
  const types = Object.fromEntries(data.map(({ name, data_type }: Record<string, string>) => [name, data_type]))
  expect(types).toMatchObject(internalAttributes)
  for (const name of Object.keys(internalAttributes)) {
    const { status, body } = await post('/events', { name: 'mine', user_id: 'x', attributes: { [name]: 'y', own: 1 } })
    expect([status, body.error.param]).toEqual([400, `attributes.${name}`])
    expect(body.error.message).toContain(`${name} is written by Usher itself`)
  }
  expect((await post('/events', { name: 'flow_started', user_id: 'x', attributes: { own: 1 } })).status).toBe(200)
  expect((await post('/users', { id: 'x', attributes: { flow_id: 'of the user' } })).status).toBe(200)
})

it('leaves an attribute to the environment that had it before its first content', async () => {
  const { otherClient, database, services } = server
  await otherClient.post('/events', { name: 'mine', user_id: 'x', attributes: { flow_id: 'own' } })
  const [row] = await database.query<{ id: number }>(
    "select environment_id as id from attribute_definitions where scope = 'event' and name = 'flow_id' and data_type = 'string'",
    [],
  )
  await publishTest(services.database, row?.id as never, tour('elsewhere'))
  expect(
    (await otherClient.post('/events', { name: 'mine', user_id: 'x', attributes: { flow_id: 'own' } })).status,
  ).toBe(200)
  expect(
    (await otherClient.post('/events', { name: 'mine', user_id: 'x', attributes: { content_id: 'own' } })).status,
  ).toBe(400)
})

it('answers a repeated request with its Idempotency-Key as the first, and starts one session', async () => {
  await publish('repeated')
  const user = await newUser()
  const key = { 'idempotency-key': `claim-${user}` }
  const body = { content: 'repeated', user_id: user, holder: 'h' }
  const [first, second] = [await post('/content_sessions', body, key), await post('/content_sessions', body, key)]
  expect(second.body).toEqual(first.body)
})

/** A content of the API, published. */
async function published(document: object) {
  const { body } = await post('/content', document)
  const answer = await post(`/content/${body.id}/publish`)
  expect([answer.status, answer.body.error?.message]).toEqual([200, undefined])
  return answer.body
}

async function decided(userId: string): Promise<string[]> {
  const { body } = await post('/decisions', { user_id: userId })
  return body.content.map(({ key }: { key: string }) => key)
}

it('decides by what was seen and answered: conditions on content and answers, for one user and in a segment', async () => {
  await published(tour('asked'))
  await published(
    tour('follow-up', {
      who: {
        all: [
          { content: 'asked', is: 'completed' },
          { answer: 'asked', question: 'ease', is: 'at_most', value: 6 },
        ],
      },
    }),
  )
  const [low, high] = [await newUser(), await newUser()]
  for (const [user, value] of [
    [low, 3],
    [high, 9],
  ] as const) {
    const id = await running('asked', user)
    const reports = [
      { sequence: 2, type: 'answered', question: 'ease', value },
      { sequence: 3, type: 'completed' },
      { sequence: 4, type: 'ended', reason: 'button' },
    ]
    await post(`/content_sessions/${id}/progress`, { holder: 'h', reports })
  }
  expect([await decided(low), await decided(high)].map((keys) => keys.includes('follow-up'))).toEqual([true, false])
  expect(await decided(low)).not.toContain('asked')
  const count = async (condition: object) => (await post('/segments/count', { condition })).body.count
  expect(await count({ content: 'asked', is: 'completed', within: '1d' })).toBe(2)
  expect(
    await count({
      all: [
        { content: 'asked', is: 'seen' },
        { answer: 'asked', question: 'ease', is: 'less', value: 5 },
      ],
    }),
  ).toBe(1)
  expect(await count({ content: 'asked', is: 'active' })).toBe(0)
})

it('keeps the receipt of the decision with the session', async () => {
  await published(tour('why', { who: { attribute: 'plan', is: 'equals', value: 'pro' } }))
  const user = await newUser({ plan: 'pro' })
  const id = await running('why', user)
  const { receipt } = await get(`/content_sessions/${id}?expand=receipt`)
  expect(receipt).toMatchObject({ key: 'why', outcome: 'show' })
  expect(JSON.stringify(receipt)).toContain('"pro"')
})

it('keeps with a session that was started by hand that it was, and the gates that it passed by', async () => {
  await published(tour('by-hand', { who: { attribute: 'plan', is: 'equals', value: 'pro' } }))
  const user = await newUser({ plan: 'free' })
  const { body } = await post('/content_sessions', { content: 'by-hand', user_id: user, holder: 'h', reason: 'manual' })
  await post(`/content_sessions/${body.id}/progress`, firstSeen())
  const { receipt } = await get(`/content_sessions/${body.id}?expand=receipt`)
  expect(receipt).toMatchObject({ outcome: 'show', reason: null, sentence: 'Shown: it was started by hand' })
  expect(receipt.gates).toContainEqual(expect.objectContaining({ gate: 'who', open: false, code: 'who_not_met' }))
})

it('keeps with a session that was claimed without asking who sees it that it is shown, and why it would not be', async () => {
  await published(tour('undecided', { who: { attribute: 'plan', is: 'equals', value: 'pro' } }))
  const id = await running('undecided', await newUser({ plan: 'free' }))
  const { receipt } = await get(`/content_sessions/${id}?expand=receipt`)
  const sentence = 'Shown: it was claimed, although plan is "free", "pro" is needed'
  expect(receipt).toMatchObject({ outcome: 'show', reason: null, sentence })
  expect(receipt.gates).toContainEqual(expect.objectContaining({ gate: 'who', open: false, code: 'who_not_met' }))
})

it.each([
  ['finish', { state: 'active' }, 200],
  ['end', { state: 'ended', end_reason: 'version_changed' }, 409],
  ['restart', { state: 'ended', end_reason: 'version_changed' }, 200],
  ['restart_all', { state: 'ended', end_reason: 'version_changed' }, 200],
])('lets users inside %s at publishing, at once', async (inside, expected, status) => {
  const key = `inside-${inside}`
  const { id } = await published(tour(key))
  const [active, seen] = [await newUser(), await newUser()]
  const session = await running(key, active)
  await post(`/content_sessions/${await running(key, seen)}/end`)
  await post('/content', { ...tour(key), name: 'Changed' })
  const plan = await post(`/content/${id}/publish`, { dry_run: true })
  expect(plan.body.inside).toBe(1)
  expect((await post(`/content/${id}/publish`, { inside })).status).toBe(200)
  // Also for another browser: the one that showed the version before has nothing to show any more.
  const { content } = (await post('/decisions', { user_id: active, content: key })).body
  expect(content).toHaveLength(inside.startsWith('restart') ? 1 : 0)
  const claim = async (user: string) => await post('/content_sessions', { content: key, user_id: user, holder: 'h' })
  expect((await claim(active)).status).toBe(status)
  expect((await claim(seen)).status).toBe(inside === 'restart_all' ? 200 : 409)
  expect(await get(`/content_sessions/${session}`)).toMatchObject(expected)
})

const firstSeen = (holder = 'h') => ({ holder, reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] })

it.each([
  ['finish', 200, ['active']],
  ['end', 404, []],
  ['restart', 404, []],
  ['restart_all', 404, []],
])(
  'starts a claim of the version before when its users may %s, and else nothing of it',
  async (inside, status, states) => {
    const key = `claimed-${inside}`
    const { id } = await published(tour(key))
    const user = await newUser()
    const { body: before } = await post('/content_sessions', { content: key, user_id: user, holder: 'h' })
    await post('/content', { ...tour(key), name: 'Changed' })
    await post(`/content/${id}/publish`, { inside })
    expect((await post(`/content_sessions/${before.id}/progress`, firstSeen())).status).toBe(status)
    const { data } = await get(`/content_sessions?user_id=${user}`)
    expect(data.map(({ state }: { state: string }) => state)).toEqual(states)
    if (status === 200) return
    const { body: after } = await post('/content_sessions', { content: key, user_id: user, holder: 'other' })
    expect(after.version_id).not.toBe(before.version_id)
  },
)

it('starts nothing beside a publication: it waits for its commit, and finds what is published then', async () => {
  const { id } = await published(tour('beside'))
  const [claiming, seeing] = [await newUser(), await newUser()]
  const { body: claim } = await post('/content_sessions', { content: 'beside', user_id: seeing, holder: 'h' })
  await post('/content', { ...tour('beside'), name: 'Changed' })
  // Another node publishes it, and has not committed yet.
  const publishing = await server.database.pool.connect()
  await publishing.query('begin')
  await publishing.query('select pg_advisory_xact_lock($1::int, $2::int)', [
    advisoryLocks.environmentPublished,
    server.environmentId,
  ])
  await publishing.query(
    `update content set published_version_id = draft_version_id, ends_before = now()
      where environment_id = $1::int and id = $2::uuid`,
    [server.environmentId, id],
  )
  const starts = [
    post('/content_sessions', { content: 'beside', user_id: claiming, holder: 'h' }),
    post(`/content_sessions/${claim.id}/progress`, firstSeen()),
  ]
  const waiting = `select count(*)::int as count from pg_locks
    where locktype = 'advisory' and classid = ${advisoryLocks.environmentPublished} and not granted`
  await expect.poll(async () => (await publishing.query(waiting)).rows[0].count).toBeGreaterThan(0)
  await publishing.query('commit')
  publishing.release()
  const answers = await Promise.all(starts)
  expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual([
    [409, 'version_changed'],
    [404, 'not_found'],
  ])
  expect((await get(`/content_sessions?content_id=${id}`)).data).toEqual([])
})

const agedBy = (days: number) => `
  update content_sessions set created_at = now() - interval '${days} days', last_activity_at = now() - interval '${days} days'
   where id = $1::uuid`

it('ends sessions whose publisher let them end, and those without activity for 30 days, though nobody asks', async () => {
  const { id } = await published(tour('overdue'))
  await published(tour('idle'))
  const [overdue, idle] = [await running('overdue', await newUser()), await running('idle', await newUser())]
  await post(`/content/${id}/unpublish`)
  await server.database.query(agedBy(31), [idle])
  const { last_activity_at } = await get(`/content_sessions/${idle}`)
  await new SessionEnder(server.services, pino({ level: 'silent' })).run()
  expect(await get(`/content_sessions/${overdue}`)).toMatchObject({ end_reason: 'unpublished' })
  expect(await get(`/content_sessions/${idle}`)).toMatchObject({
    end_reason: 'expired',
    state: 'ended',
    last_activity_at,
  })
})

it('a session without activity begins its quiet period when its user left it, also when another one is deleted', async () => {
  await published(tour('left-long-ago', { when: { frequency: 'always' } }))
  const user = await newUser()
  const first = await running('left-long-ago', user)
  await post(`/content_sessions/${first}/end`)
  const idle = await running('left-long-ago', user)
  await server.database.query(agedBy(31), [idle])
  const { last_activity_at } = await get(`/content_sessions/${idle}`)
  await new SessionEnder(server.services, pino({ level: 'silent' })).run()
  const lastEnded = async () => {
    const [state] = await server.database.query<{ at: string }>(
      'select last_ended_at as at from content_states where user_id = $1::text',
      [user],
    )
    return state?.at
  }
  expect(await lastEnded()).toBe(last_activity_at)
  await server.client.delete(`/content_sessions/${first}`)
  expect(await lastEnded()).toBe(last_activity_at)
})

it('has the flow history in the export of the person', async () => {
  await published(tour('exported'))
  const user = await newUser()
  const id = await running('exported', user)
  const { content_sessions } = await get(`/users/${user}/export`)
  expect(content_sessions).toMatchObject([{ id, state: 'active', answers: [], receipt: { key: 'exported' } }])
})

it('refuses what no database can store in answers and pages, and stores nothing of the call', async () => {
  await publish('unstorable')
  const user = await newUser()
  const id = await running('unstorable', user)
  const report = async (value: unknown, page?: object) =>
    await post(`/content_sessions/${id}/progress`, {
      holder: 'h',
      reports: [{ sequence: 2, type: 'answered', question: 'why', value }],
      page,
    })
  for (const text of ['a\0', 'a\ud800']) {
    const problem = { code: 'invalid_params', param: 'reports[0].value' }
    expect(await report(text)).toMatchObject({ status: 400, body: { error: problem } })
    expect((await report([text])).status).toBe(400)
    expect(await report('fine', { url: `https://x/${text}`, locale: text })).toMatchObject({ status: 400 })
  }
  expect((await get(`/content_sessions/${id}?expand=answers`)).answers).toEqual([])
  expect((await report('fine')).status).toBe(200)
})

it('keeps the only group of the user, when nobody names one', async () => {
  const steps = [{ key: 'hello', type: 'dialog', blocks: [{ heading: 'On {{ group.plan | nothing }}' }] }]
  await publish('of-only-group', { steps } as never)
  const groups = [{ id: 'only-group', attributes: { plan: 'growth' } }]
  await post('/users', { id: 'of-one', groups })
  const claim = { content: 'of-only-group', user_id: 'of-one', holder: 'h', reason: null }
  expect(JSON.stringify((await post('/content_sessions', claim)).body.document)).toContain('growth')
  const id = await running('of-only-group', 'of-one')
  expect(await get(`/content_sessions/${id}`)).toMatchObject({ group_id: 'only-group' })
  expect((await get('/events?group_id=only-group')).data).toHaveLength(2)
  expect((await post('/decisions', { user_id: 'of-one' })).body.group_id).toBe('only-group')
})

it('hides the history of deleted content at once, frees its slot, and removes it in steps', async () => {
  const { id: contentId } = await publish('gone', { when: { frequency: 'always' } })
  await publish('stays', { when: { frequency: 'always' } })
  const user = await newUser()
  const id = await running('gone', user)
  const answered = [{ sequence: 2, type: 'answered', question: 'ease', value: 3 }]
  await post(`/content_sessions/${id}/progress`, { holder: 'h', reports: answered })
  // So long ago that it would be ended for that, if there was a content to end it by.
  await server.database.query(agedBy(40), [id])
  await server.client.delete(`/content/${contentId}`)
  expect((await get(`/content_sessions?user_id=${user}`)).data).toEqual([])
  expect((await server.client.get(`/content_sessions/${id}`)).status).toBe(404)
  const late = { holder: 'h', reports: [{ sequence: 3, type: 'completed' }] }
  expect((await post(`/content_sessions/${id}/progress`, late)).status).toBe(404)
  const other = { content: 'stays', user_id: user, holder: 'other' }
  expect((await post('/content_sessions', other)).status).toBe(200)
  await new SessionEnder(server.services, pino({ level: 'silent' })).run()
  for (const table of ['content_sessions', 'content_states', 'content_answers'])
    expect(
      await server.database.query(`select 1 as row from ${table} where content_id = $1::uuid`, [contentId]),
      table,
    ).toEqual([])
})

it('hides a checklist with the next decision after its last task was completed', async () => {
  const tasks = ['one', 'two'].map((key) => ({ key, name: key }))
  await published({ key: 'list', type: 'checklist', name: 'List', tasks } as never)
  const user = await newUser()
  const outcome = async () => {
    const { body } = await post('/decisions', { user_id: user, content: 'list', receipts: true })
    return [body.receipts[0].outcome, body.receipts[0].reason]
  }
  const { body: claim } = await post('/content_sessions', { content: 'list', user_id: user, holder: 'h' })
  const report = (reports: object[]) => post(`/content_sessions/${claim.id}/progress`, { holder: 'h', reports })
  await report([
    { sequence: 1, type: 'shown' },
    { sequence: 2, type: 'task_completed', task: 'one' },
  ])
  const { body: completed } = await report([{ sequence: 3, type: 'task_completed', task: 'two' }])
  expect(completed).toMatchObject({ state: 'completed', progress: '2/2' })
  expect(await outcome()).toEqual(['hide', 'already_seen'])
  const again = await post('/content_sessions', { content: 'list', user_id: user, holder: 'other' })
  expect([again.status, again.body.error.code]).toEqual([409, 'already_seen'])
})

it('results have a task that is completed after its checklist, before and after the run is summed', async () => {
  const tasks = ['first', 'early', 'late'].map((key) => ({ key, name: key }))
  const { id: contentId } = await published({ key: 'later', type: 'checklist', name: 'Later', tasks } as never)
  const { database, environmentId } = server
  const claim = { content: 'later', user_id: await newUser(), holder: 'h' }
  const { id } = (await post('/content_sessions', claim)).body
  const report = (reports: object[]) => post(`/content_sessions/${id}/progress`, { holder: 'h', reports })
  const inAnHour = Date.now() + 3_600_000
  const seen = async () => {
    const sums = await findRuns(database, environmentId, contentId)
    return sums.map(({ step, reason, runs }) => `${step} ${reason} ${runs}`).toSorted()
  }
  // The page reports that all visible tasks are completed.
  await report([
    { sequence: 1, type: 'shown' },
    { sequence: 2, type: 'task_completed', task: 'first' },
    { sequence: 3, type: 'completed' },
  ])
  await report([{ sequence: 4, type: 'task_completed', task: 'early' }])
  const completed = [' completed 1', 'early seen 1', 'first seen 1']
  expect(await seen()).toEqual(completed)
  await sumRuns(database, inAnHour)
  expect(await seen()).toEqual(completed)
  await report([{ sequence: 5, type: 'task_completed', task: 'late' }])
  expect(await seen()).toEqual([...completed, 'late seen 1'])
  await report([{ sequence: 6, type: 'ended', reason: 'close_button' }])
  await sumRuns(database, inAnHour)
  expect(await seen()).toEqual([...completed, 'late seen 1'])
})
