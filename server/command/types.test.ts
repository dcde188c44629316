import { expect, it, onTestFinished } from 'vitest'
import { Usher } from '../../client/src/index.ts'
import { usher } from '../../test/support/command.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { startNode } from '../../test/support/node.ts'
import { problemsOf } from '../../test/support/snippets.ts'

it('usher types prints what an environment has seen, and the client takes it', async () => {
  const database = await createTestDatabase()
  onTestFinished(async () => await database.close())
  const settings = { DATABASE_URL: database.url }
  const server = await startNode(settings)
  onTestFinished(async () => void (await server.end()))
  const client = new Usher({ baseUrl: server.url, apiKey: server.key })
  await client.users.upsert({
    id: 'u',
    attributes: { seats: 1, 'job title': 'x', mixed: 1, signed_up_at: '2026-01-03T09:30:00Z' },
    memberships: [{ group: { id: 'g', attributes: { trial: true } }, attributes: { role: 'owner' } }],
  })
  await client.users.upsert({ id: 'u', attributes: { mixed: 'one' } })
  await client.events.track({ name: 'order placed', user_id: 'u', attributes: { total: 2 } })
  await client.events.track({ name: 'signed_in', user_id: 'u' })

  // Values of other types are counted in memory and written some seconds later.
  const print = () => usher(['types', '--environment', 'Production'], settings)
  await expect.poll(async () => (await print()).stdout).toContain('mixed: string')
  const { stdout, code } = await print()
  expect(code).toBe(0)
  expect(stdout).toBe(`export interface Definitions {
  user: {
    "job title": string
    mixed: string | number | boolean
    seats: number
    /** An ISO 8601 date-time. */
    signed_up_at: string
  }
  group: {
    trial: boolean
  }
  group_membership: {
    role: string
  }
  events: {
    "order placed": {
      total: number
    }
    signed_in: Record<string, never>
  }
}
`)
  expect((await usher(['types', '--environment', 'Staging'], settings)).stdout).not.toContain('seats')
  expect(await problemsOf({ 'usher.d.ts': stdout, 'program.ts': program })).toBe('')
})

/** The valid part must compile, the invalid part must not. */
const program = `
  import { Usher } from '@usher/client'
  import type { Definitions } from './usher.d.ts'
  const usher = new Usher<Definitions>({ baseUrl: 'https://x', apiKey: 'ak' })
  usher.users.upsert({ id: 'u', attributes: { seats: { add: 1 }, 'job title': 'y', mixed: true } })
  usher.events.track({ name: 'order placed', user_id: 'u', attributes: { total: 1 } })
  // @ts-expect-error: signed_in has no attributes
  usher.events.track({ name: 'signed_in', user_id: 'u', attributes: { total: 1 } })
  // @ts-expect-error: seats is a number
  usher.users.upsert({ id: 'u', attributes: { seats: 'many' } })
`
