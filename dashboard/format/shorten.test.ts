import { describe, expect, it } from 'vitest'
import { initials, middle } from './shorten.ts'

describe('short forms', () => {
  it('cuts an id in its middle and keeps both ends', () => {
    expect(middle('u_48213')).toBe('u_48213')
    expect(middle('auth0|6553e0c1b0f2a9d7e8f0', 15)).toBe('auth0|6553…e8f0')
  })

  it('does not cut through a character of two units', () => {
    expect(middle('😀'.repeat(30), 10)).toBe(`${'😀'.repeat(6)}…${'😀'.repeat(3)}`)
  })

  it.each([
    ['Ada Okafor', 'AO'],
    ['ada', 'A'],
    ['Lucía Fernández Ortega', 'LO'],
    ['', '?'],
    [undefined, '?'],
  ])('takes the initials of %s', (name, text) => {
    expect(initials(name)).toBe(text)
  })
})
