import { expect, it } from 'vitest'
import { readLocator } from './locator.ts'

it.each([
  ['testid=export', { kind: 'testid', value: 'export' }],
  ['css=#a > [b="c=d"]', { kind: 'css', value: '#a > [b="c=d"]' }],
  ['role=button', { kind: 'role', role: 'button', name: null }],
  ['role=button[name="Say \\"hi\\""]', { kind: 'role', role: 'button', name: 'Say "hi"' }],
  ['text=Export', { kind: 'text', value: 'Export', isExact: false }],
  ['text="Export now"', { kind: 'text', value: 'Export now', isExact: true }],
])('%s is read', (text, locator) => {
  expect(readLocator(text)).toEqual(locator)
})

it.each(['', 'export', 'xpath=//a', 'testid=', 'role=button[name=x]', 'role=Button<b>'])(
  '%j matches nothing',
  (text) => {
    expect(readLocator(text)).toBe(null)
  },
)
