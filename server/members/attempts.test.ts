import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/support/database.ts'
import { countAttempt, networkOf } from './attempts.ts'

it('attempts from before the clock was set back lock nobody out until it comes there again', async () => {
  const { database, close } = await createTestDatabase()
  onTestFinished(close)
  const now = Date.now()
  const attempt = async (at: number) => await countAttempt(database, '192.0.2.7', 'ada@example.com', undefined, at)
  const ahead = now + 2 * 3_600_000
  for (let count = 0; count < 10; count += 1) await attempt(ahead)
  await expect(attempt(ahead)).rejects.toMatchObject({ code: 'too_many_attempts' })
  await attempt(now)
})

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('attempts from %s count for %s: a machine has all addresses of a /64', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
