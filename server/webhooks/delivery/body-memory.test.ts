import { expect, it } from 'vitest'
import type { EnvironmentId } from '../../database/database.ts'
import { BodyMemory } from './body-memory.ts'

const [one, other] = [1, 2] as EnvironmentId[] as [EnvironmentId, EnvironmentId]

it('lets an environment hold no more than it leaves free, and one that holds nothing always have a body', () => {
  const memory = new BodyMemory(900)
  memory.hold(one, Buffer.alloc(300))
  const reserved = memory.reserve(one)
  expect(reserved).toBe(150)
  memory.giveBack(one, reserved)
  expect(memory.reserve(other)).toBe(300)
  expect(memory.reserve(one)).toBe(0)
  const full = new BodyMemory(900)
  full.hold(one, Buffer.alloc(1_000))
  expect([full.reserve(one), full.reserve(other)]).toEqual([0, 1])
})

it('counts a body that several deliveries share once, until the last of them releases it', () => {
  const memory = new BodyMemory(900)
  const body = Buffer.alloc(500)
  memory.hold(one, body)
  memory.hold(one, body)
  memory.release(one, body)
  expect(memory.reserve(other)).toBe(200)
  memory.giveBack(other, 200)
  memory.release(one, body)
  expect(memory.reserve(other)).toBe(450)
})
