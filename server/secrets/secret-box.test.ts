import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSealed, KEY_BYTES, SecretBox } from './secret-box.ts'

const box = new SecretBox(randomBytes(KEY_BYTES))

it('a sealed secret opens to what it was, and is another text each time', () => {
  for (const secret of ['whsec_abc', '', 'ü€😀', 'x'.repeat(10_000)]) {
    const sealed = box.seal(secret, 'webhook 1 a')
    expect(isSealed(sealed)).toBe(true)
    if (secret !== '') expect(sealed).not.toContain(secret)
    expect(box.seal(secret, 'webhook 1 a')).not.toBe(sealed)
    expect(box.open(sealed, 'webhook 1 a')).toBe(secret)
  }
})

it('a sealed secret opens neither at another place, nor changed, nor with another key', () => {
  const sealed = box.seal('whsec_abc', 'webhook 1 a')
  expect(() => box.open(sealed, 'webhook 2 a')).toThrow()
  const place = sealed.length - 3
  const changed = sealed.slice(0, place) + (sealed[place] === 'A' ? 'B' : 'A') + sealed.slice(place + 1)
  expect(() => box.open(changed, 'webhook 1 a')).toThrow()
  for (const other of [new SecretBox(randomBytes(KEY_BYTES)), new SecretBox()])
    expect(() => other.open(sealed, 'webhook 1 a')).toThrow(`the key ${box.keyId}, which is not here`)
})

it('a secret from before there was a key is opened as it is, and stays as it is without a key', () => {
  expect(box.open('whsec_abc', 'webhook 1 a')).toBe('whsec_abc')
  expect(new SecretBox().seal('whsec_abc', 'webhook 1 a')).toBe('whsec_abc')
})
