import { afterEach, beforeEach, expect, it } from 'vitest'
import { usher, usherJson } from '../../test/support/command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { findPublicSides } from '../sdk/directory-queries.ts'

let test: TestDatabase
let settings: { DATABASE_URL: string; USHER_SECRET_KEY: string }

beforeEach(async () => {
  test = await createTestDatabase()
  settings = { DATABASE_URL: test.url, USHER_SECRET_KEY: '7'.repeat(64) }
})
afterEach(() => test.close())

it('a public token is created, listed and revoked; origins and identity are set; all of it is in the audit log, and secrets are sealed', async () => {
  await usherJson(['accounts', 'create', 'Acme'], settings)
  const run = async (...words: string[]) => await usherJson([...words, '--environment', 'Production'], settings)
  const { token, id } = (await run('tokens', 'create', '--name', 'Web')) as { token: string; id: number }
  expect(token).toMatch(/^pk_[a-z2-7]{26}$/)
  expect(await run('tokens', 'list')).toMatchObject([{ id, token, name: 'Web', revoked_at: null }])
  expect(await run('origins', 'list')).toEqual(['localhost'])
  expect(await run('origins', 'add', 'https://*.Example.com:443/')).toEqual({ origin: 'https://*.example.com' })
  expect(await usher(['origins', 'add', 'app.example.com', '--environment', 'Production'], settings)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^"app\.example\.com" is no origin: it must be such as https:\/\/app\.example\.com /),
  })
  expect(await run('origins', 'list')).toEqual(['https://*.example.com', 'localhost'])
  await run('origins', 'remove', 'localhost')
  const refused = await usher(['identity', 'set', 'required', '--environment', 'Production'], settings)
  expect(refused).toMatchObject({
    code: 1,
    stderr:
      'Identity cannot be required without a secret. Create one first: npx usher identity create-secret --environment NAME\n',
  })
  const { secret, id: secretId } = (await run('identity', 'create-secret')) as { secret: string; id: string }
  await run('identity', 'set', 'required')
  expect(await run('identity', 'show')).toMatchObject({
    setting: 'required',
    secrets: [{ id: secretId, last_four: secret.slice(-4), last_used_at: null }],
  })
  const [side] = await findPublicSides(test.database, [token])
  expect(side).toMatchObject({ identity: 'required', origins: ['https://*.example.com'], secret_ids: [secretId] })
  expect(JSON.stringify(side)).not.toContain(secret)
  expect(side?.secrets[0]).toMatch(/^sealed:1:/)
  expect(side?.visitor_key).toMatch(/^sealed:1:/)

  const next = (await run('tokens', 'rotate', token)) as { id: number; token: string }
  expect(await run('tokens', 'list')).toMatchObject([
    { token: next.token, name: 'Web', ends_at: null },
    { token, ends_at: expect.any(String), revoked_at: null },
  ])
  const again = await usher(['tokens', 'rotate', token, '--environment', 'Production'], settings)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is revoked, or ends already') })

  expect(await run('tokens', 'revoke', String(id))).toMatchObject({ token, revoked_at: expect.any(String) })
  expect(await findPublicSides(test.database, [token])).toEqual([])
  const recorded = await test.database.query('select action from audit_entries order by id', [])
  expect(recorded.map(({ action }) => action)).toEqual([
    'account.created',
    'token.created',
    'origin.added',
    'origin.removed',
    'identity.secret_created',
    'identity.changed',
    'token.rotated',
    'token.revoked',
  ])
  const stored = await test.database.query('select * from audit_entries', [])
  expect(JSON.stringify(stored)).not.toContain(secret)
})

it('content is switched off and on, and the quiet period is set, with an entry in the audit log', async () => {
  await usherJson(['accounts', 'create', 'Acme'], settings)
  const run = async (...words: string[]) =>
    await usherJson(['guidance', ...words, '--environment', 'Production'], settings)
  expect(await run('show')).toEqual({ is_off: false, quiet_seconds: 0 })
  expect(await run('off')).toEqual({ is_off: true, quiet_seconds: 0 })
  expect(await run('quiet', '10m')).toEqual({ is_off: true, quiet_seconds: 600 })
  expect(await run('on')).toEqual({ is_off: false, quiet_seconds: 600 })
  const refused = await usher(['guidance', 'quiet', '900w', '--environment', 'Production'], settings)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('at most a year, or 0') })
  expect(await run('show')).toEqual({ is_off: false, quiet_seconds: 600 })
  const recorded = await test.database.query('select action from audit_entries order by id', [])
  expect(recorded.map(({ action }) => action).slice(1)).toEqual([
    'guidance.switched_off',
    'guidance.changed',
    'guidance.switched_on',
  ])
})
