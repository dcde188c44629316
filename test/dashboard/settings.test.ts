import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeControl } from '../../server/accounts/change.ts'
import { createAccount } from '../../server/accounts/create.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { Browser, memberOf, PASSWORD } from '../support/dashboard.ts'
import { uniqueName } from '../support/postgres.ts'
import { Client } from '../support/requests.ts'

let server: TestServer
let owner: Browser
beforeAll(async () => {
  server = await startTestServer()
  owner = await memberOf(server, 'owner')
})
afterAll(async () => await server.close())

const environment = 'production'

describe('a key', () => {
  it('is shown once, works, shows its last use, and stops working within a second after it is revoked', async () => {
    const created = await owner.call('createKey', { environment, name: 'Back end' })
    expect(created).toMatchObject({ name: 'Back end', created_by: expect.stringContaining('owner'), revoked_at: null })
    expect(created.shown).toBe(`${created.key.slice(0, 6)}…${created.key.slice(-4)}`)
    const { data } = await owner.call('listKeys', { environment })
    expect(JSON.stringify(data)).not.toContain(created.key)

    const client = new Client(server.url, created.key)
    expect((await client.post('/users', { id: 'u_key' })).status).toBe(200)
    const revoked = await owner.call('revokeKey', { environment, key_id: String(created.id) })
    expect(revoked.revoked_at).not.toBeNull()
    await expect.poll(async () => (await client.get('/users/u_key')).status).toBe(401)
    await client.close()
  })

  it('of another environment cannot be renamed or revoked', async () => {
    const created = await owner.call('createKey', { environment: 'staging', name: 'Other' })
    const key_id = String(created.id)
    for (const answer of [
      await owner.send('renameKey', { environment, key_id, name: 'Mine' }),
      await owner.send('revokeKey', { environment, key_id }),
    ])
      expect([answer.status, answer.code]).toEqual([404, 'not_found'])
    const { data } = await owner.call('listKeys', { environment: 'staging' })
    expect(data.find(({ id }) => id === created.id)).toMatchObject({ name: 'Other', revoked_at: null })
  })

  it.each(['', '   ', 'x'.repeat(101), 'a\nb'])('is not created with the name %j', async (name) => {
    expect((await owner.send('createKey', { environment, name })).code).toBe('invalid_params')
  })
})

describe('an environment', () => {
  it('keeps its slug when it is renamed', async () => {
    const created = await owner.call('createEnvironment', { name: 'Größe & Co' })
    expect(created).toMatchObject({ slug: 'gro-e-co', is_first: false, keep_events_days: null })
    const renamed = await owner.call('renameEnvironment', { environment: created.slug, name: 'Test' })
    expect(renamed).toEqual({ ...created, name: 'Test' })
    expect((await owner.call('createEnvironment', { name: 'Größe & Co' })).slug).toBe('gro-e-co-2')
  })

  it('has its own name, also when two are made at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => owner.send('createEnvironment', { name: 'Twice' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await owner.send('renameEnvironment', { environment: 'twice', name: 'Staging' })).code).toBe('conflict')
  })

  it('never takes the address of a page', async () => {
    expect((await owner.call('createEnvironment', { name: 'API' })).slug).toBe('api-2')
  })

  it('is deleted with its name typed alone; its keys stop, and its name is free', async () => {
    const { slug } = await owner.call('createEnvironment', { name: 'Doomed' })
    const { key } = await owner.call('createKey', { environment: slug, name: 'k' })
    const client = new Client(server.url, key)
    expect((await client.post('/users', { id: 'u_1' })).status).toBe(200)
    expect((await owner.send('deleteEnvironment', { environment: slug, name: 'doomed' })).code).toBe('invalid_params')
    expect((await client.get('/users/u_1')).status).toBe(200)
    await owner.call('deleteEnvironment', { environment: slug, name: 'Doomed' })
    expect((await owner.send('listKeys', { environment: slug })).code).toBe('not_found')
    await expect.poll(async () => (await client.get('/users/u_1')).status).toBe(401)
    expect((await owner.call('createEnvironment', { name: 'Doomed' })).slug).toBe('doomed-2')
    await client.close()
  })

  it('of an account is left, also when the last two are deleted at once', async () => {
    const { database } = server
    const created = await changeControl(database, (transaction) =>
      createAccount(transaction, uniqueName('account'), 'self_hosted', new Date().toISOString()),
    )
    const email = `${uniqueName('lone')}@example.com`
    const lone = await memberOf(server, 'owner', email)
    await database.query('update members set account_id = $1::int where email = $2::text', [created?.account.id, email])
    // Every change ends by raising the revision: both deletions wait for this lock.
    const lock = await database.begin()
    await lock.query('select from control_revision for update', [])
    const answers = ['Production', 'Staging'].map((name) =>
      lone.send('deleteEnvironment', { environment: name.toLowerCase(), name }),
    )
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await database.query(waiting, [])).length).toBe(2)
    await lock.commit()
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await lone.call('listEnvironments', {})).data).toHaveLength(1)
  })

  it('takes display names, descriptions and what pages may do from another, of the names that both have', async () => {
    await server.client.post('/events', { name: 'shared_event', user_id: 'u', attributes: { plan: 'a' } })
    await server.client.post('/events', { name: 'only_here', user_id: 'u' })
    await server.otherClient.post('/events', { name: 'shared_event', user_id: 'u' })
    await server.database.query(
      "update event_definitions set display_name = 'Shared', description = 'Both have it' where environment_id = $1::int",
      [server.environmentId],
    )
    const unstorable = await owner.send('copyDescriptions', { environment: 'staging', from: 'production\0' })
    expect([unstorable.status, unstorable.code]).toEqual([400, 'invalid_params'])
    expect(await owner.call('copyDescriptions', { environment: 'staging', from: 'production' })).toEqual({
      events: 1,
      attributes: 0,
    })
    const plan = "name = 'plan' and scope = 'user' and environment_id = $1::int"
    for (const client of [server.client, server.otherClient])
      await client.post('/users', { id: 'u', attributes: { plan: 'a' } })
    await server.database.query(
      `update attribute_definitions set written_by = 'anyone', written_by_chosen = true, shown_unverified = true where ${plan}`,
      [server.environmentId],
    )
    expect((await owner.call('copyDescriptions', { environment: 'staging', from: 'production' })).attributes).toBe(1)
    const definitions = (await server.otherClient.get('/attribute_definitions?limit=100')).body.data
    const isPlan = (one: { name: string; scope: string }) => one.name === 'plan' && one.scope === 'user'
    expect(definitions.find(isPlan)).toMatchObject({ written_by: 'anyone', shown_unverified: true })
    const copied = (await server.otherClient.get('/event_definitions?limit=100')).body.data
    expect(copied.find((one: { name: string }) => one.name === 'shared_event')).toMatchObject({
      display_name: 'Shared',
    })
  })
})

describe('members', () => {
  it('are invited by a link with a role, once', async () => {
    const email = `${uniqueName('new')}@example.com`
    const { url, invitation } = await owner.call('createInvitation', { role: 'admin', email })
    expect(url).toMatch(new RegExp(`^${server.url}/app/invitation#[\\w-]{43}$`))
    const token = url.split('#')[1] as string
    const browser = new Browser(server.url)
    expect(await browser.call('readLink', { token })).toMatchObject({ kind: 'invitation', email, role: 'admin' })
    const joined = await browser.call('useLink', { token, email: 'other@example.com', name: 'Neu', password: PASSWORD })
    expect(joined.member).toMatchObject({ email, name: 'Neu', role: 'admin' })
    expect((await browser.send('useLink', { token, password: PASSWORD })).code).toBe('link_gone')
    const { data, invitations } = await owner.call('listMembers', {})
    expect(data.some((member) => member.email === email)).toBe(true)
    expect(invitations.some(({ id }) => id === invitation.id)).toBe(false)
  })

  it('cannot be invited twice, and a revoked invitation does not work', async () => {
    const email = `${uniqueName('revoked')}@example.com`
    const { url, invitation } = await owner.call('createInvitation', { role: 'viewer', email })
    await owner.call('revokeInvitation', { invitation_id: invitation.id })
    const token = url.split('#')[1] as string
    expect((await new Browser(server.url).send('useLink', { token, password: PASSWORD })).code).toBe('link_gone')
    await memberOf(server, 'viewer', email)
    expect((await owner.send('createInvitation', { role: 'viewer', email: email.toUpperCase() })).code).toBe('conflict')
  })

  it('of another account are told of by an invitation once, however many ask at the same time, and it is used up', async () => {
    const { database } = server
    const created = await changeControl(database, (transaction) =>
      createAccount(transaction, uniqueName('account'), 'self_hosted', new Date().toISOString()),
    )
    const emails = Array.from({ length: 5 }, (_, place) => `${uniqueName(`elsewhere.${place}`)}@example.com`)
    for (const email of emails) await memberOf(server, 'viewer', email, created?.account.id)
    const { url, invitation } = await owner.call('createInvitation', { role: 'viewer' })
    const token = url.split('#')[1] as string
    const answers = await Promise.all(
      emails.map((email) => new Browser(server.url).send('useLink', { token, email, password: PASSWORD })),
    )
    expect(answers.map(({ code }) => code).sort()).toEqual(['conflict', ...Array(4).fill('link_gone')])
    const { invitations } = await owner.call('listMembers', {})
    expect(invitations.some(({ id }) => id === invitation.id)).toBe(false)
  })

  it('of this account use no invitation up', async () => {
    const email = `${uniqueName('here')}@example.com`
    await memberOf(server, 'viewer', email)
    const { url } = await owner.call('createInvitation', { role: 'viewer' })
    const token = url.split('#')[1] as string
    const browser = new Browser(server.url)
    expect((await browser.send('useLink', { token, email, password: PASSWORD })).code).toBe('conflict')
    await browser.call('useLink', { token, email: `${uniqueName('free')}@example.com`, password: PASSWORD })
  })

  it('get no role above that of the one who gives it', async () => {
    const admin = await memberOf(server, 'admin')
    const { data } = await owner.call('listMembers', {})
    const first = data.find(({ role }) => role === 'owner') as { id: string }
    const self = (await admin.call('getSession', {})).member
    expect((await admin.send('createInvitation', { role: 'owner' })).code).toBe('role_required')
    expect((await admin.send('updateMember', { member_id: self.id, role: 'owner' })).code).toBe('role_required')
    expect((await admin.send('removeMember', { member_id: first.id })).code).toBe('role_required')
    expect((await admin.send('updateMember', { member_id: self.id, role: 'viewer' })).status).toBe(200)
    expect((await admin.send('createInvitation', { role: 'viewer' })).code).toBe('role_required')
  })

  it('always include an owner, also when the last two step down at once', async () => {
    const second = await memberOf(server, 'owner')
    const ids = await Promise.all([owner, second].map(async (one) => (await one.call('getSession', {})).member.id))
    const answers = await Promise.all([
      owner.send('updateMember', { member_id: ids[0] as string, role: 'admin' }),
      second.send('updateMember', { member_id: ids[1] as string, role: 'admin' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    await server.database.query("update members set role = 'owner' where id = $1::uuid", [ids[0]])
  })

  it('lose their sessions when they are removed', async () => {
    const viewer = await memberOf(server, 'viewer')
    const { member } = await viewer.call('getSession', {})
    await owner.call('removeMember', { member_id: member.id })
    expect((await viewer.send('getSession', {})).code).toBe('not_signed_in')
  })

  it('who forgot the password get a link for a new one, which ends their sessions', async () => {
    const viewer = await memberOf(server, 'viewer')
    const { member } = await viewer.call('getSession', {})
    const { url } = await owner.call('createPasswordLink', { member_id: member.id })
    const token = url.split('#')[1] as string
    const browser = new Browser(server.url)
    expect(await browser.call('readLink', { token })).toMatchObject({ kind: 'password', email: member.email })
    await browser.call('useLink', { token, password: 'a new password' })
    expect((await viewer.send('getSession', {})).code).toBe('not_signed_in')
    expect((await browser.call('getSession', {})).member.id).toBe(member.id)
  })
})

describe('the audit log', () => {
  it('records who changed what, from which address, in the transaction of the change', async () => {
    const created = await owner.call('createKey', { environment, name: 'Audited' })
    await owner.call('renameKey', { environment, key_id: String(created.id), name: 'Renamed' })
    const { data } = await owner.call('listAuditEntries', { action: 'key', limit: 2 })
    expect(data[0]).toMatchObject({
      action: 'key.renamed',
      actor_kind: 'member',
      target_id: String(created.id),
      environment,
      address: '127.0.0.1',
      before: { name: 'Audited' },
      after: { name: 'Renamed' },
    })
    expect(JSON.stringify(data)).not.toContain(created.key)
  })

  it('has no entry for refused changes', async () => {
    const before = await owner.call('listAuditEntries', { limit: 1 })
    await owner.send('createEnvironment', { name: 'Production' })
    await owner.send('revokeKey', { environment, key_id: '999999' })
    expect(await owner.call('listAuditEntries', { limit: 1 })).toEqual(before)
  })

  it('is paged without gaps or repeats, and filtered', async () => {
    for (let n = 0; n < 5; n += 1) await owner.call('createKey', { environment, name: `Page ${n}` })
    const all = await owner.call('listAuditEntries', { limit: 100 })
    const walked = []
    let cursor: string | undefined
    do {
      const page = await owner.call('listAuditEntries', { limit: 3, ...(cursor !== undefined && { cursor }) })
      walked.push(...page.data)
      cursor = page.next ?? undefined
    } while (cursor !== undefined)
    expect(walked.slice(0, all.data.length)).toEqual(all.data)
    const { data } = await owner.call('listAuditEntries', { action: 'key.created', environment, limit: 100 })
    expect(new Set(data.map(({ action }) => action))).toEqual(new Set(['key.created']))
  })

  it('cannot be changed or shortened', async () => {
    const before = await owner.call('listAuditEntries', { limit: 100 })
    await server.database.query("update audit_entries set actor_name = 'nobody'", [])
    await server.database.query('delete from audit_entries', [])
    expect(await owner.call('listAuditEntries', { limit: 100 })).toEqual(before)
  })

  it('is exported as CSV in which nothing is a formula', async () => {
    await owner.call('createKey', { environment, name: '=cmd|"x", y' })
    const { headers, text } = await owner.send('exportAuditLog', { action: 'key.created' })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toContain('attachment')
    expect(text).toContain(`"'=cmd|""x"", y"`)
    expect(text.split('\r\n')[0]).toBe(
      'at,actor_kind,actor_id,actor_name,action,target_kind,target_id,target_name,environment,address,request_id,before,after',
    )
  })
})
