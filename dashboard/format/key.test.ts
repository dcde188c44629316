import { expect, it } from 'vitest'
import { keyOf } from './key.ts'

it('makes a key of a name, numbered when it is taken, and never an empty one', () => {
  expect(keyOf('Évening & Night', [], 'theme')).toBe('e-vening-night')
  expect(keyOf('Night', ['night', 'night-2'], 'theme')).toBe('night-3')
  expect(keyOf('夜', [], 'theme')).toBe('theme')
})
