import { describe, expect, it } from 'vitest'
import { METADATA_ADDRESSES, PUBLIC_ADDRESSES, SPECIAL_ADDRESSES } from '../../../test/support/addresses.ts'
import { addressVerdict, isLoopback } from './addresses.ts'

const strict = { allowPrivate: false }
const relaxed = { allowPrivate: true }

describe('addresses', () => {
  it.each([...SPECIAL_ADDRESSES, ...METADATA_ADDRESSES])('%s is refused', (ip) => {
    expect(addressVerdict(ip, strict)).toContain(`the address ${ip} is `)
  })

  it.each(SPECIAL_ADDRESSES)('%s is allowed while private targets are', (ip) => {
    expect(addressVerdict(ip, relaxed)).toBe('ok')
  })

  it.each(METADATA_ADDRESSES)('%s is refused even while private targets are allowed', (ip) => {
    expect(addressVerdict(ip, relaxed)).toBe(`the address ${ip} is a cloud metadata address`)
  })

  it.each(PUBLIC_ADDRESSES)('%s is allowed', (ip) => {
    expect(addressVerdict(ip, strict)).toBe('ok')
  })

  it.each(['', 'example.com', '127.1', '0x7f.0.0.1', '8.8.8.8 ', '[::1]', 'fe80::1%eth0', '2606:4700::1%1'])(
    '%j is refused whatever the policy',
    (text) => {
      expect(addressVerdict(text, strict)).not.toBe('ok')
      expect(addressVerdict(text, relaxed)).not.toBe('ok')
    },
  )

  it('are called by their kind', () => {
    expect(addressVerdict('10.0.0.1', strict)).toBe('the address 10.0.0.1 is private')
    expect(addressVerdict('::1', strict)).toBe('the address ::1 is loopback')
    expect(addressVerdict('fe80::1', strict)).toBe('the address fe80::1 is link-local')
  })

  it('are loopback in IPv4, IPv6 and mapped form', () => {
    for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) expect(isLoopback(ip)).toBe(true)
    for (const ip of ['10.0.0.1', '0.0.0.0', '::', 'localhost']) expect(isLoopback(ip)).toBe(false)
  })
})
