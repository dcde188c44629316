import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OperationName, paths } from '../../contract/dashboard/paths.ts'
import { createSetUpLink } from '../../server/members/set-up.ts'
import { asyncResources } from '../support/async-resources.ts'
import { changeMeanwhile } from '../support/change-meanwhile.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { Browser, memberOf, newLinkToken, PASSWORD } from '../support/dashboard.ts'
import { uniqueName } from '../support/postgres.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const stranger = () => new Browser(server.url)
const tokenOf = (path: string | undefined) => path?.split('#')[1] as string

it('a body of a caller without a session has at most 8 KiB', async () => {
  const body = { email: 'a@example.com', password: 'x'.repeat(9_000) }
  const { status, text } = await stranger().request('POST', '/app/api/session', body)
  expect([status, text]).toEqual([413, expect.stringContaining('8192')])
})

describe('the set-up link', () => {
  it('makes the owner once: no sign-in before that, and no second use', async () => {
    expect(await stranger().call('getWelcome', {})).toMatchObject({ has_owner: false })
    const first = tokenOf(await createSetUpLink(server.database))
    const second = tokenOf(await createSetUpLink(server.database))
    // Two nodes that start at once print a link each.
    for (const token of [first, second])
      expect(await stranger().call('readLink', { token })).toMatchObject({ state: 'open', kind: 'set_up' })

    const all = await Promise.all(
      [first, first, second, second].map((token, place) =>
        stranger().send('useLink', { token, email: `owner.${place}@example.com`, password: PASSWORD }),
      ),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410])
    const made = all.find(({ status }) => status === 200)?.body
    expect(made).toMatchObject({
      member: { role: 'owner' },
      environments: [{ slug: 'production' }, { slug: 'staging' }],
    })
    expect(await createSetUpLink(server.database)).toBeUndefined()
    const states = await Promise.all([first, second].map((token) => stranger().call('readLink', { token })))
    expect(states.map(({ state }) => state).sort()).toEqual(['unknown', 'used'])
    expect(states.map(({ account_name }) => account_name)).toEqual([null, null])
    expect(await stranger().call('getWelcome', {})).toMatchObject({ has_owner: true })
  })

  it('refuses a short password and leaves the link open', async () => {
    const token = await newLinkToken(server.database, 'viewer')
    const short = await stranger().send('useLink', { token, email: 'short@example.com', password: 'short' })
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('password: must have at least 10')])
    expect((await stranger().call('readLink', { token })).state).toBe('open')
  })
})

describe('a session', () => {
  it('comes by e-mail and password, whatever the case of the e-mail, and ends on sign-out', async () => {
    const email = `${uniqueName('Ada')}@Example.com`
    await memberOf(server, 'member', email)
    const browser = stranger()
    const signedIn = await browser.send('signIn', { email: email.toLowerCase(), password: PASSWORD })
    const [cookie] = [signedIn.headers['set-cookie']].flat() as [string]
    expect(cookie).toMatch(/^usher=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect((await browser.call('getSession', {})).member).toMatchObject({ email, role: 'member' })

    const stolen = new Browser(server.url, browser.cookie)
    await browser.call('signOut', {})
    expect([(await stolen.send('getSession', {})).code]).toEqual(['not_signed_in'])
  })

  it('ends everywhere when the password changes, and a new one begins where it was changed', async () => {
    const email = `${uniqueName('eve')}@example.com`
    const browser = await memberOf(server, 'viewer', email)
    const stolen = new Browser(server.url, browser.cookie)
    const wrong = await browser.send('changePassword', { current_password: 'wrong', new_password: 'another password' })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('current_password: is wrong')])
    expect((await stolen.send('getSession', {})).status).toBe(200)

    await browser.call('changePassword', { current_password: PASSWORD, new_password: 'another password' })
    expect((await stolen.send('getSession', {})).code).toBe('not_signed_in')
    expect((await browser.send('getSession', {})).status).toBe(200)
    expect((await stranger().send('signIn', { email, password: PASSWORD })).code).toBe('wrong_credentials')
    expect((await stranger().send('signIn', { email, password: 'another password' })).status).toBe(200)
  })

  it('does not begin by a password that is changed while it is checked', async () => {
    const email = `${uniqueName('eve')}@example.com`
    const browser = await memberOf(server, 'viewer', email)
    const signedIn = await changeMeanwhile(server.services.database, {
      before: (text) => text.startsWith('delete from sign_in_attempts'),
      change: () => browser.call('changePassword', { current_password: PASSWORD, new_password: 'another password' }),
      read: () => stranger().send('signIn', { email, password: PASSWORD }),
    })
    expect([signedIn.status, signedIn.code]).toEqual([401, 'wrong_credentials'])
    expect((await browser.send('getSession', {})).status).toBe(200)
  })

  it('ends after 30 days, and after the idle hours that an owner sets', async () => {
    const browser = await memberOf(server, 'viewer')
    const set = (column: string, value: string) =>
      server.database.query(`update member_sessions set ${column} = ${value}`, [])
    await set('used_at', "now() - interval '13 hours'")
    expect((await browser.send('getSession', {})).status).toBe(200)
    const owner = await memberOf(server, 'owner')
    expect((await owner.call('updateAccount', { idle_hours: 12 })).account.idle_hours).toBe(12)
    await set('used_at', "now() - interval '13 hours'")
    expect((await browser.send('getSession', {})).code).toBe('not_signed_in')
    await set('used_at', "now() - interval '11 hours'")
    expect((await browser.send('getSession', {})).status).toBe(200)
    await owner.call('updateAccount', { idle_hours: null })
    const { expires_at } = await browser.call('getSession', {})
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000)).toBe(30)
    await set('expires_at', "now() - interval '1 second'")
    expect((await browser.send('getSession', {})).code).toBe('not_signed_in')
  })

  it('is stored as a hash alone', async () => {
    const browser = await memberOf(server, 'viewer')
    const token = browser.cookie?.split('=')[1] as string
    const rows = await server.database.query<{ text: string }>(
      'select member_sessions::text as text from member_sessions',
      [],
    )
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })
})

describe('signing in', () => {
  it('refuses an e-mail that cannot be stored, whoever asks', async () => {
    const { status, code } = await stranger().send('signIn', { email: 'a\0@example.com', password: 'wrong password' })
    expect([status, code]).toEqual([400, 'invalid_params'])
  })

  it('says the same of a wrong e-mail and of a wrong password', async () => {
    const email = `${uniqueName('bob')}@example.com`
    await memberOf(server, 'viewer', email)
    const answers = await Promise.all([
      stranger().send('signIn', { email, password: 'wrong password' }),
      stranger().send('signIn', { email: `${uniqueName('nobody')}@example.com`, password: 'wrong password' }),
    ])
    const [known, unknown] = answers.map(({ status, body }) => ({
      status,
      error: { ...errorOf(body), request_id: '' },
    }))
    expect(known).toEqual(unknown)
    expect(known).toMatchObject({ status: 401, error: { code: 'wrong_credentials' } })
  })

  it('does the same work for a wrong e-mail and for a wrong password: one derivation of a key', async () => {
    const email = `${uniqueName('work')}@example.com`
    await memberOf(server, 'viewer', email)
    const attempt = (address: string) =>
      asyncResources(() => stranger().send('signIn', { email: address, password: 'wrong password' }))
    for (const address of [email, `${uniqueName('nobody')}@example.com`])
      expect(await attempt(address), address).toContain('SCRYPTREQUEST')
    expect(await asyncResources(() => stranger().call('getWelcome', {}))).not.toContain('SCRYPTREQUEST')
  })

  it('is limited per account, also for one that does not exist, and a success resets the count', async () => {
    for (const email of [`${uniqueName('known')}@example.com`, `${uniqueName('unknown')}@example.com`]) {
      if (email.startsWith('known')) await memberOf(server, 'viewer', email)
      await server.database.query('delete from sign_in_attempts', [])
      const attempt = () => stranger().send('signIn', { email, password: 'wrong password' })
      expect((await attempt()).status).toBe(401)
      // Each takes 0.2 s of CPU time.
      await server.database.query('update sign_in_attempts set attempts = 8', [])
      const answers = await Promise.all(Array.from({ length: 4 }, attempt))
      expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 429, 429])
      const limited = answers.find(({ status }) => status === 429)
      expect(limited?.code).toBe('too_many_attempts')
      expect(Number(limited?.headers['retry-after'])).toBeGreaterThan(800)
      const right = await stranger().send('signIn', { email, password: PASSWORD })
      expect(right.status).toBe(429)
    }
  })

  it('is limited per address over all accounts', async () => {
    await server.database.query('delete from sign_in_attempts', [])
    const attempt = () => stranger().send('signIn', { email: `${uniqueName('n')}@example.com`, password: 'wrong' })
    expect((await attempt()).status).toBe(401)
    await server.database.query('update sign_in_attempts set attempts = 29', [])
    const answers = await Promise.all([attempt(), attempt(), attempt()])
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
    await server.database.query('delete from sign_in_attempts', [])
  })
})

const writes = (Object.keys(paths) as OperationName[]).filter((name) => paths[name].method !== 'GET')

it.each([['https://evil.example'], ['null'], [undefined]])(
  'no operation that writes takes a request with the origin %s',
  async (origin) => {
    const browser = await memberOf(server, 'owner')
    const before = await browser.call('listAuditEntries', { limit: 100 })
    for (const name of writes) {
      const input = { environment: 'production', name: 'Evil', id: 'evil', email: 'a@b.c', password: PASSWORD }
      const { status, code } = await browser.send(name, input as never, { headers: { origin } })
      expect([name, status, code]).toEqual([name, 403, 'cross_site'])
    }
    expect(await browser.call('listAuditEntries', { limit: 100 })).toEqual(before)
  },
)

it('every answer of the API carries the security headers, also a refusal and an unknown path', async () => {
  const browser = stranger()
  for (const path of ['/app/api/welcome', '/app/api/session', '/app/api/nothing', '/app/api/environments/x/users']) {
    const { headers, status } = await browser.request('GET', path)
    expect([path, status, headers]).toEqual([
      path,
      { '/app/api/welcome': 200, '/app/api/nothing': 404 }[path] ?? 401,
      expect.objectContaining({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      }),
    ])
  }
})

function errorOf(body: unknown): Record<string, unknown> {
  return (body as { error: Record<string, unknown> }).error
}

describe('links end', () => {
  const invite = async (browser: Browser, role: 'admin' | 'viewer' = 'admin') =>
    tokenOf((await browser.call('createInvitation', { role })).url)
  const stateOf = async (token: string) => (await stranger().call('readLink', { token })).state
  const waitingForMembers = async () =>
    (
      await server.database.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%members%'",
        [],
      )
    ).length
  const idOf = async (browser: Browser) => (await browser.call('getSession', {})).member.id

  it.each([
    ['removed', async (owner: Browser, member_id: string) => await owner.call('removeMember', { member_id })],
    [
      'demoted',
      async (owner: Browser, member_id: string) => await owner.call('updateMember', { member_id, role: 'viewer' }),
    ],
  ] as const)(
    'when the member who made them is %s: nobody comes back by an invitation of their own',
    async (_, end) => {
      const owner = await memberOf(server, 'owner')
      const admin = await memberOf(server, 'admin')
      const [own, other] = [await invite(admin), await invite(owner)]
      await end(owner, await idOf(admin))
      expect([await stateOf(own), await stateOf(other)]).toEqual(['unknown', 'open'])
      const used = await stranger().send('useLink', { token: own, email: 'back@example.com', password: PASSWORD })
      expect(used.status).toBe(410)
    },
  )

  it('when the password was changed: an old link does not set another one', async () => {
    const owner = await memberOf(server, 'owner')
    const admin = await memberOf(server, 'admin')
    const link = tokenOf((await owner.call('createPasswordLink', { member_id: await idOf(admin) })).url)
    const invitation = await invite(admin)
    await admin.call('changePassword', { current_password: PASSWORD, new_password: 'a new password' })
    expect([await stateOf(link), await stateOf(invitation)]).toEqual(['unknown', 'unknown'])
  })

  it('for a member who is removed while it is used, and the removal does not fail', async () => {
    const owner = await memberOf(server, 'owner')
    const member_id = await idOf(await memberOf(server, 'viewer'))
    const token = tokenOf((await owner.call('createPasswordLink', { member_id })).url)
    const removal = await server.database.begin()
    await removal.query('select from members where id = $1::uuid for update', [member_id])
    const used = stranger().send('useLink', { token, password: 'a new password' })
    try {
      await expect.poll(async () => await waitingForMembers()).toBe(1)
      await removal.query('delete from members where id = $1::uuid', [member_id])
      await removal.commit()
    } catch (error) {
      await removal.abandon(error)
      throw error
    }
    expect((await used).status).toBe(410)
  })

  it('for a member who is removed right after it was used', async () => {
    const owner = await memberOf(server, 'owner')
    const member_id = await idOf(await memberOf(server, 'viewer'))
    const token = tokenOf((await owner.call('createPasswordLink', { member_id })).url)
    const used = await changeMeanwhile(server.services.database, {
      before: (text) => text.startsWith('delete from sign_in_attempts'),
      change: () => owner.call('removeMember', { member_id }),
      read: () => stranger().send('useLink', { token, password: 'a new password' }),
    })
    expect([used.status, used.code]).toEqual([401, 'not_signed_in'])
  })

  it('when the owner who made a password link for somebody else is removed', async () => {
    const [owner, other, admin] = [
      await memberOf(server, 'owner'),
      await memberOf(server, 'owner'),
      await memberOf(server, 'admin'),
    ]
    const link = tokenOf((await owner.call('createPasswordLink', { member_id: await idOf(admin) })).url)
    await other.call('removeMember', { member_id: await idOf(owner) })
    expect(await stateOf(link)).toBe('unknown')
  })
})

describe('somebody else cannot lock a member out', () => {
  const wrong = async (email: string) => (await stranger().send('signIn', { email, password: 'wrong password' })).status
  const forget = async () => await server.database.query('delete from sign_in_attempts', [])

  it('from a browser that has signed in before', async () => {
    await forget()
    const { email } = (await (await memberOf(server, 'member')).call('getSession', {})).member
    const browser = stranger()
    await browser.call('signIn', { email, password: PASSWORD })
    expect(await wrong(email)).toBe(401)
    await server.database.query('update sign_in_attempts set attempts = 10', [])
    expect((await stranger().send('signIn', { email, password: PASSWORD })).status).toBe(429)
    expect((await browser.send('signIn', { email, password: PASSWORD })).status).toBe(200)
    await forget()
  })

  it('from the address of a browser that has signed in before, which gives the others no attempts back', async () => {
    await forget()
    const { email } = (await (await memberOf(server, 'member')).call('getSession', {})).member
    const browser = stranger()
    await browser.call('signIn', { email, password: PASSWORD })
    await forget()
    expect(await wrong(`${uniqueName('n')}@example.com`)).toBe(401)
    await server.database.query('update sign_in_attempts set attempts = 30', [])
    expect((await browser.send('signIn', { email, password: PASSWORD })).status).toBe(200)
    expect((await browser.send('signIn', { email, password: PASSWORD })).status).toBe(200)
    expect(await wrong(`${uniqueName('n')}@example.com`)).toBe(429)
    await forget()
  })

  it('from an address that is over its limit: its attempts count no further', async () => {
    await forget()
    const { email } = (await (await memberOf(server, 'member')).call('getSession', {})).member
    expect(await wrong(`${uniqueName('n')}@example.com`)).toBe(401)
    await server.database.query('update sign_in_attempts set attempts = 30', [])
    for (let count = 0; count < 12; count += 1) expect(await wrong(email)).toBe(429)
    await server.database.query('update sign_in_attempts set attempts = 0 where attempts > 30', [])
    expect((await stranger().send('signIn', { email, password: PASSWORD })).status).toBe(200)
    await forget()
  })

  it('by using links: signing in has turns of its own', async () => {
    await forget()
    const { email } = (await (await memberOf(server, 'member')).call('getSession', {})).member
    const token = await newLinkToken(server.database, 'viewer')
    const uses = Array.from({ length: 60 }, (_, place) =>
      stranger().send('useLink', { token, email: `many.${place}@example.com`, password: PASSWORD }),
    )
    // Of the address, 30 are counted. Another one is not limited by them.
    await server.database.query('update sign_in_attempts set attempts = 0', [])
    const signedIn = await stranger().send('signIn', { email, password: PASSWORD })
    const statuses = (await Promise.all(uses)).map(({ status }) => status)
    expect(signedIn.status).not.toBe(503)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    await forget()
  })

  it('and every wrong password is in the audit log, with its address', async () => {
    await forget()
    const owner = await memberOf(server, 'owner')
    const { email, id } = (await owner.call('getSession', {})).member
    expect(await wrong(email)).toBe(401)
    const { data } = await owner.call('listAuditEntries', { action: 'session.sign_in_failed' })
    expect(data[0]).toMatchObject({ target_id: id, target_name: email, address: '127.0.0.1' })
  })
})
