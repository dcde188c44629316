import { expect, it } from 'vitest'
import { question } from './question.ts'

it('a question has one mark, also when it ends with a name that is one', () => {
  expect(question('Delete Get started')).toBe('Delete Get started?')
  expect(question('Delete How did it go?')).toBe('Delete How did it go?')
})
