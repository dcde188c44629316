import { expect, it } from 'vitest'
import { hashPassword, isPassword } from './passwords.ts'

it('a password is stored as scrypt with a salt of its own: the same one twice is two texts, and neither has it', async () => {
  const stored = [await hashPassword('correct horse'), await hashPassword('correct horse')]
  for (const text of stored) {
    expect(text).toMatch(/^scrypt\$32768\$8\$3\$/)
    expect(text).not.toContain('correct')
    expect(await isPassword('correct horse', text)).toBe(true)
    expect(await isPassword('correct horsf', text)).toBe(false)
  }
  expect(new Set(stored).size).toBe(2)
})
