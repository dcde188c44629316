import { expect, it } from 'vitest'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { EnvironmentId } from '../database/database.ts'
import { Allowances } from './allowances.ts'

const environmentId = 7 as EnvironmentId

it('pages of an environment track and create so much in a minute, and other environments as before', () => {
  let now = 0
  const allowances = new Allowances(() => now)
  const { mayCreate } = allowances.rulesOf(environmentId, { isVerified: false })
  for (let count = 0; count < sdkLimits.eventsPerMinute; count += 1) allowances.takeEvent(environmentId, 1)
  for (let count = 0; count < sdkLimits.newUsersPerMinute; count += 1) mayCreate('object')
  expect(() => allowances.takeEvent(environmentId, 1)).toThrow('Pages have tracked their 30000 events of this minute.')
  // So many are not left: none of them is taken.
  allowances.takeReports(environmentId, sdkLimits.reportsPerMinute - 1, 1)
  expect(() => allowances.takeReports(environmentId, 2, 1)).toThrow(
    'Pages have sent their 60000 reports of this minute.',
  )
  allowances.takeReports(environmentId, 1, 1)
  expect(() => allowances.takeReports(environmentId, 1, 1)).toThrow('reports')
  expect(mayCreate('object')).toBe(false)
  expect(mayCreate('name')).toBe(true)
  const other = 8 as EnvironmentId
  allowances.takeEvent(other, 1)
  allowances.takeReports(other, 1, 1)
  expect(allowances.rulesOf(other, { isVerified: false }).mayCreate('object')).toBe(true)
  now = 60_000
  allowances.takeEvent(environmentId, 1)
  expect(mayCreate('object')).toBe(true)
})

it('pages of an environment store so many bytes in a minute, objects in whole steps, and a further try takes nothing again', () => {
  let now = 0
  const allowances = new Allowances(() => now)
  const unverified = { isVerified: false }
  const { bytesPerMinute, bytesPerStep } = sdkLimits
  allowances.takeEvent(environmentId, bytesPerMinute - 5 * bytesPerStep)
  const first = allowances.rulesOf(environmentId, unverified)
  expect(first.mayStore([1, bytesPerStep + 1])).toBe(true)
  first.beginTry()
  expect(first.mayStore([1, bytesPerStep + 1])).toBe(true)
  // Two steps are left.
  const next = () => allowances.rulesOf(environmentId, unverified)
  expect([next().mayStore([2 * bytesPerStep + 1]), next().mayStore([2 * bytesPerStep])]).toEqual([false, true])
  expect(next().mayStore([1])).toBe(false)
  expect(() => allowances.takeEvent(environmentId, 1)).toThrow('bytes of this minute')
  expect(() => allowances.takeReports(environmentId, 1, 1)).toThrow('bytes of this minute')
  now = 60_000
  expect(next().mayStore([1])).toBe(true)
})
