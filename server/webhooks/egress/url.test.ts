import { describe, expect, it } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import {
  DISGUISED_HOSTS,
  METADATA_ADDRESSES,
  PUBLIC_ADDRESSES,
  SPECIAL_ADDRESSES,
} from '../../../test/support/addresses.ts'
import { checkWebhookUrl, resolvesToAllowed } from './url.ts'

const strict = { allowPrivate: false }
const relaxed = { allowPrivate: true }

const literal = (ip: string) => (ip.includes(':') ? `https://[${ip}]/hook` : `https://${ip}/hook`)

describe('a webhook URL', () => {
  it.each(['https://example.com/hook?a=1', 'HTTPS://Example.com:8443', 'https://bücher.example/ü', 'https://a.b.c./'])(
    'may be %s',
    (url) => {
      expect(checkWebhookUrl(url, strict)).toBeUndefined()
    },
  )

  it.each([
    ['', /absolute/],
    ['example.com/hook', /absolute/],
    ['https:example.com', /absolute/],
    ['https://', /absolute/],
    ['https://exa mple.com', /spaces/],
    ['https://example.com/\n', /spaces/],
    [' https://example.com', /spaces/],
    ['https://exa\tmple.com', /spaces/],
    ['ftp://example.com', /https:/],
    ['file:///etc/passwd', /https:/],
    ['http://example.com/hook', /https:/],
    ['https://user@example.com', /password/],
    ['https://user:secret@example.com', /password/],
    ['https://:secret@example.com', /password/],
    ['https://example.com/#part', /fragment/],
    ['https://example.com/#', /fragment/],
    ['https://1.2.3.4.5/', /absolute/],
    ['https://example.com:99999/', /absolute/],
    ['http:///127.0.0.1/hook', /absolute/],
    ['https:////example.com/hook', /absolute/],
    ['https://?example.com', /absolute/],
    ['https://example.com\\@evil.example/', /backslash/],
    ['https:\\\\example.com/', /backslash/],
    ['https://example.com/a\\b', /backslash/],
    ['https://a..b/', /empty parts/],
    ['https://.example.com/', /empty parts/],
    ['https://example.com../', /empty parts/],
    ['https://example.com:0/', /port 0/],
    ['http://127.0.0.1:00/', /port 0/],
  ])('may not be %j', (url, problem) => {
    expect(checkWebhookUrl(url, strict)).toMatch(problem)
    expect(checkWebhookUrl(url, relaxed)).toMatch(problem)
  })

  it('may be as long as the limit and no longer', () => {
    const longest = `https://example.com/${'x'.repeat(limits.urlCharacters - 20)}`
    expect(checkWebhookUrl(longest, strict)).toBeUndefined()
    expect(checkWebhookUrl(`${longest}x`, strict)).toMatch(/at most 2048 characters/)
  })

  it.each([...SPECIAL_ADDRESSES, ...METADATA_ADDRESSES])('may not lead to %s', (ip) => {
    expect(checkWebhookUrl(literal(ip), strict)).toMatch(/private target/)
  })

  it.each(DISGUISED_HOSTS)('may not lead to %s', (host) => {
    expect(checkWebhookUrl(`https://${host}/hook`, strict)).toMatch(/private target/)
    expect(checkWebhookUrl(`http://${host}:8080/hook`, strict)).toMatch(/private target/)
  })

  it.each(PUBLIC_ADDRESSES)('may lead to %s', (ip) => {
    expect(checkWebhookUrl(literal(ip), strict)).toBeUndefined()
  })

  it.each(METADATA_ADDRESSES)('may never lead to %s', (ip) => {
    expect(checkWebhookUrl(literal(ip), relaxed)).toMatch(/metadata/)
  })

  it('may be http: to loopback alone, while private targets are allowed', () => {
    for (const host of ['localhost', 'a.localhost', '127.0.0.1:9000', '127.1', '[::1]', '[::ffff:127.0.0.1]']) {
      expect(checkWebhookUrl(`http://${host}/hook`, relaxed)).toBeUndefined()
    }
    for (const host of ['10.0.0.1', 'example.com', '0.0.0.0', 'localhost.example.com', '8.8.8.8']) {
      expect(checkWebhookUrl(`http://${host}/hook`, relaxed)).toMatch(/https:/)
    }
    expect(checkWebhookUrl('https://10.0.0.1/hook', relaxed)).toBeUndefined()
  })
})

describe('a name, at creation', () => {
  const url = 'https://hook.example/'

  it.each([...SPECIAL_ADDRESSES, ...METADATA_ADDRESSES])('is refused when it resolves to %s', async (ip) => {
    expect(await resolvesToAllowed(url, strict, async () => [ip])).toMatch(/private target/)
  })

  it('is refused when one of its addresses is private', async () => {
    const found = await resolvesToAllowed(url, strict, async () => ['1.1.1.1', '192.168.1.1'])
    expect(found).toContain('the address 192.168.1.1 is private')
  })

  it('is accepted when its addresses are public, or private ones are allowed', async () => {
    expect(await resolvesToAllowed(url, strict, async () => PUBLIC_ADDRESSES)).toBeUndefined()
    expect(await resolvesToAllowed(url, relaxed, async () => ['10.0.0.1'])).toBeUndefined()
  })

  it('is accepted when it cannot be resolved', async () => {
    expect(await resolvesToAllowed(url, strict, () => Promise.reject(new Error('ENOTFOUND')))).toBeUndefined()
  })

  it('is resolved without its last dot', async () => {
    const asked: string[] = []
    await resolvesToAllowed('https://hook.example./', strict, async (name) => {
      asked.push(name)
      return []
    })
    expect(asked).toEqual(['hook.example'])
  })
})
