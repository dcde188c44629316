import { expect, it } from 'vitest'
import { isAllowedOrigin, parseOrigin } from './origins.ts'

it.each([
  ['https://app.example.com', 'https://app.example.com'],
  ['HTTPS://App.Example.com:443/', 'https://app.example.com'],
  ['http://app.example.com:8080', 'http://app.example.com:8080'],
  ['https://*.example.com', 'https://*.example.com'],
  [' localhost ', 'localhost'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('%s is the origin %s', (given, origin) => {
  expect(parseOrigin(given)).toBe(origin)
})

it.each([
  '',
  '*',
  'https://*',
  'https://*.com',
  'https://a.*.example.com',
  'https://example.com/path',
  'example.com',
  'ftp://example.com',
  'https://user@example.com',
  'https://example.com:99999',
  `https://${'a'.repeat(300)}.com`,
])('%s is refused', (given) => {
  expect(() => parseOrigin(given)).toThrow(/^origin: must be such as/)
})

it('an exact origin allows itself, a wildcard its subdomains only, and localhost any port of this machine', () => {
  const allowed = (...list: string[]) => list
  expect(isAllowedOrigin(allowed('https://app.example.com'), 'https://app.example.com')).toBe(true)
  for (const other of [
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com.evil.test',
    'null',
  ])
    expect(isAllowedOrigin(allowed('https://app.example.com'), other), other).toBe(false)
  expect(isAllowedOrigin(allowed('https://*.example.com'), 'https://a.b.example.com')).toBe(true)
  for (const other of ['https://example.com', 'https://.example.com', 'https://badexample.com', 'http://a.example.com'])
    expect(isAllowedOrigin(allowed('https://*.example.com'), other), other).toBe(false)
  for (const one of ['http://localhost', 'http://localhost:5173', 'https://127.0.0.1:8443', 'http://app.localhost:80'])
    expect(isAllowedOrigin(allowed('localhost'), one), one).toBe(true)
  for (const other of ['http://localhost.evil.test', 'http://evil.test/localhost', 'http://10.0.0.1'])
    expect(isAllowedOrigin(allowed('localhost'), other), other).toBe(false)
})
