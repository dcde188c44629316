import { expect, it } from 'vitest'
import { networkOf } from './attempts.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('attempts from %s count for %s: a machine has all addresses of a /64', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
