import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { ownAddress } from './own-address.ts'

const TLS = { USHER_TLS_CERT: 'cert.pem', USHER_TLS_KEY: 'key.pem' }

it.each([
  [{}, 'http://127.0.0.1:8080'],
  [{ HOST: '::1', PORT: '81' }, 'http://[::1]:81'],
  [{ ...TLS, HOST: '0.0.0.0' }, 'https://localhost:8080'],
  [{ ...TLS, USHER_BASE_URL: 'https://usher.example.com' }, 'https://usher.example.com'],
])('the address of a server with %j is %s', (settings, address) => {
  expect(ownAddress(readConfig(settings))).toBe(address)
})

it('the port on which it listens replaces PORT=0', () => {
  expect(ownAddress(readConfig({ PORT: '0' }), 4321)).toBe('http://127.0.0.1:4321')
})
