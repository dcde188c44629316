import { expect, it } from 'vitest'
import { safeBack } from './back.ts'

it.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', '', undefined])(
  'does not lead to %j',
  (back) => {
    expect(safeBack(back)).toBeUndefined()
  },
)

it('leads back to a page of ours', () => {
  expect(safeBack('/production/users?q=ada')).toBe('/production/users?q=ada')
})
