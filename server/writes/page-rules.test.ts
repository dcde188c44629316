import { expect, it } from 'vitest'
import type { AttributeOperations } from '../attributes/operations.ts'
import { fitting } from './page-rules.ts'

it('operations that do not fit are left out, without a copy of what is stored for each', () => {
  let copies = 0
  const attributes = new Proxy<Record<string, string>>(
    { text: 'a', plan: 'free' },
    {
      ownKeys: (target) => {
        copies += 1
        return Reflect.ownKeys(target)
      },
    },
  )
  const set = (name: string) => [name, { kind: 'set', value: 'b', dataType: 'string' }] as const
  const wrong = ['text', { kind: 'add', amount: 1, requestedKey: 'add' }] as const
  const fit: AttributeOperations = Array.from({ length: 100 }, (_, index) => set(`new_${index}`))
  const stored = { attributes, attributesJson: '{}', createdAt: '2026-01-03T09:30:00.000Z' }
  expect(fitting(stored, [...fit, wrong, set('plan')])).toEqual([...fit, set('plan')])
  expect(copies).toBeLessThan(3)
})
