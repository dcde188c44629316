import { expect, it } from 'vitest'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { EnvironmentId } from '../database/database.ts'
import { RefusedOrigins } from './refused-origins.ts'

const [one, other] = [1, 2] as EnvironmentId[] as [EnvironmentId, EnvironmentId]

function count() {
  const counts = new Map<string, number>()
  let now = 0
  const add = (environmentId: EnvironmentId, name: string) => {
    const key = `${environmentId} ${name}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const refused = new RefusedOrigins({ of: (id) => ({ add: (_, name) => add(id, name) }) }, () => now)
  return { counts, refused, later: (ms: number) => (now += ms) }
}

it('names a bounded number of origins of an environment in a day, and counts the others together', () => {
  const { counts, refused, later } = count()
  const most = sdkLimits.refusedOriginsPerDay
  for (let index = 0; index < most + 7; index += 1) refused.add(one, `https://site-${index}.example`)
  refused.add(one, 'https://site-0.example')
  expect([counts.size, counts.get('1 '), counts.get('1 https://site-0.example')]).toEqual([most + 1, 7, 2])
  refused.add(other, 'https://late.example')
  expect(counts.get('2 https://late.example')).toBe(1)
  later(86_400_000)
  refused.add(one, 'https://late.example')
  expect(counts.get('1 https://late.example')).toBe(1)
})

it.each([
  'null',
  'https://*.example.com',
  'localhost',
  '<script>',
  'https://a.example/path',
  `https://${'a'.repeat(300)}.example`,
])('does not name %s, which a browser does not send or nobody should allow', (origin) => {
  const { counts, refused } = count()
  refused.add(one, origin)
  expect([...counts.keys()]).toEqual(['1 '])
})
