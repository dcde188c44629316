import { createServer as createTlsServer } from 'node:https'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { METADATA_ADDRESSES, SPECIAL_ADDRESSES } from '../../../test/support/addresses.ts'
import { type Certificate, makeAuthority, makeCertificate } from '../../../test/support/certificates.ts'
import { httpReceiver, type Receiver, receive } from '../../../test/support/receivers.ts'
import { type Attempt, Sender, type SenderOptions } from './send.ts'
import { resolvesToAllowed } from './url.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
})

async function attempts(urls: string[], options: Partial<SenderOptions>): Promise<Attempt[]> {
  const limits = { connectTimeoutMs: 5000, totalTimeoutMs: 15_000 }
  const sender = new Sender({ allowPrivate: false, userAgent: 'Usher/test', ...limits, ...options })
  opened.unshift(sender)
  const done: Attempt[] = []
  for (const url of urls) done.push(await sender.send(url, { connection: 'close' }, '{}'))
  return done
}

async function attempt(url: string, options: Partial<SenderOptions>): Promise<Attempt | undefined> {
  return (await attempts([url], options))[0]
}

describe('a name', () => {
  it.each([...SPECIAL_ADDRESSES, ...METADATA_ADDRESSES])('that resolves to %s is not dialled', async (ip) => {
    const found = await attempt('https://hook.example/', { lookup: async () => [ip] })
    expect(found?.failure).toContain(`the address ${ip} is `)
  })

  it.each([...SPECIAL_ADDRESSES, ...METADATA_ADDRESSES])('that is the literal %s is not dialled', async (ip) => {
    const found = await attempt(`https://${ip.includes(':') ? `[${ip}]` : ip}/`, {})
    expect(found?.failure).toMatch(/^the address .* is /)
  })

  it('that resolves to metadata is not dialled while private targets are allowed', async () => {
    const found = await attempt('https://hook.example/', {
      allowPrivate: true,
      lookup: async () => ['169.254.169.254'],
    })
    expect(found?.failure).toBe('the address 169.254.169.254 is a cloud metadata address')
  })

  it('is resolved and vetted again for every connection', async () => {
    const receiver = await plainReceiver()
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']]
    const url = `http://hook.localhost:${receiver.port}/`
    const lookup = async () => answers.shift() ?? []
    const found = await attempts([url, url, url], { allowPrivate: true, lookup })
    expect(found.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(receiver.connections).toBe(2)
  })

  it('that turns to loopback at its second look-up is not dialled', async () => {
    const receiver = await plainReceiver()
    const answers = [['1.1.1.1'], ['127.0.0.1']]
    const lookup = async () => answers.shift() ?? []
    const url = `https://hook.example:${receiver.port}/`
    expect(await resolvesToAllowed(url, { allowPrivate: false }, lookup)).toBeUndefined()
    expect((await attempt(url, { lookup }))?.failure).toBe('the address 127.0.0.1 is loopback')
    expect(receiver.connections).toBe(0)
    expect(answers).toEqual([])
  })

  it('is not dialled at all when one of its addresses is not allowed', async () => {
    const receiver = await plainReceiver()
    const lookup = async () => ['127.0.0.1', '169.254.169.254']
    const found = await attempt(`http://hook.localhost:${receiver.port}/`, { allowPrivate: true, lookup })
    expect(found?.failure).toBe('the address 169.254.169.254 is a cloud metadata address')
    expect(receiver.connections).toBe(0)
  })

  it('is dialled at its next address when the first refuses', async () => {
    const receiver = await plainReceiver()
    const lookup = async () => ['127.0.0.2', '127.0.0.1']
    expect(await attempt(`http://hook.localhost:${receiver.port}/`, { allowPrivate: true, lookup })).toMatchObject({
      ok: true,
    })
  })

  it('on plain http: may only be a loopback address', async () => {
    const found = await attempt('http://hook.localhost/', { allowPrivate: true, lookup: async () => ['10.0.0.1'] })
    expect(found?.failure).toBe('plain http: is for loopback addresses only')
  })

  it('that cannot be resolved is a failure in plain words', async () => {
    const unknown = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
    expect((await attempt('https://hook.example/', { lookup: unknown }))?.failure).toBe('could not resolve the name')
    expect((await attempt('https://hook.example/', { lookup: async () => [] }))?.failure).toBe(
      'could not resolve the name',
    )
  })

  it('that takes too long to resolve is given up', async () => {
    const found = await attempt('https://hook.example/', { connectTimeoutMs: 100, lookup: () => new Promise(() => {}) })
    expect(found?.failure).toBe('could not connect within 0.1 s')
  })

  it('is resolved once for connections that open together', async () => {
    const receiver = await plainReceiver()
    let asked = 0
    const sender = new Sender({
      allowPrivate: true,
      userAgent: 'Usher/test',
      connectTimeoutMs: 5000,
      totalTimeoutMs: 15_000,
      lookup: async () => {
        asked++
        return ['127.0.0.1']
      },
    })
    opened.unshift(sender)
    const url = `http://hook.localhost:${receiver.port}/`
    await Promise.all(Array.from({ length: 10 }, () => sender.send(url, {}, '{}')))
    expect([asked, receiver.connections]).toEqual([1, 10])
  })
})

describe('TLS', () => {
  const authority = makeAuthority()
  const lookup = async () => ['127.0.0.1']

  async function secureAttempt(certificate: Certificate, options: Partial<SenderOptions>, host = 'hook.example') {
    const receiver = await tlsReceiver(certificate)
    return attempt(`https://${host}:${receiver.port}/`, { allowPrivate: true, lookup, ...options })
  }

  it('is accepted with a certificate of a trusted authority', async () => {
    const certificate = makeCertificate({ names: ['hook.example'], issuer: authority })
    const found = await secureAttempt(certificate, { ca: authority.certPem })
    expect(found).toMatchObject({ ok: true, responseText: 'hook.example' })
    expect(found?.timing.tlsMs).toBeGreaterThan(0)
  })

  it('is accepted on an address that the certificate names', async () => {
    const certificate = makeCertificate({ names: [], ips: ['127.0.0.1'], issuer: authority })
    expect(await secureAttempt(certificate, { ca: authority.certPem }, '127.0.0.1')).toMatchObject({ ok: true })
  })

  it.each([
    ['of an unknown authority', makeCertificate({ names: ['hook.example'], issuer: authority }), {}],
    ['signed by itself', makeCertificate({ names: ['hook.example'] }), {}],
    ['of another name', makeCertificate({ names: ['other.example'], issuer: authority }), { ca: authority.certPem }],
    [
      'of another address',
      makeCertificate({ names: [], ips: ['127.0.0.2'], issuer: authority }),
      { ca: authority.certPem },
    ],
    [
      'that has expired',
      makeCertificate({ names: ['hook.example'], issuer: authority, expired: true }),
      { ca: authority.certPem },
    ],
  ])('is refused with a certificate %s', async (_, certificate, options) => {
    const found = await secureAttempt(certificate, options)
    expect(found?.failure).toMatch(/^the certificate is not valid: /)
    expect(found?.ok).toBe(false)
  })

  it('trusts a self-signed certificate that is configured as an authority', async () => {
    const certificate = makeCertificate({ names: ['hook.example'] })
    expect(await secureAttempt(certificate, { ca: certificate.certPem })).toMatchObject({ ok: true })
  })

  it('is not replaced by plain text on a port that does not speak it', async () => {
    const receiver = await plainReceiver()
    const found = await attempt(`https://hook.example:${receiver.port}/`, { allowPrivate: true, lookup })
    expect(found?.failure).toBe('the TLS handshake failed')
  })

  it('must be agreed on within the time to connect', async () => {
    const receiver = await receive(createServer(() => {}))
    opened.push(receiver)
    const url = `https://hook.example:${receiver.port}/`
    const found = await attempt(url, { allowPrivate: true, lookup, connectTimeoutMs: 200 })
    expect(found?.failure).toBe('could not connect within 0.2 s')
  })
})

async function plainReceiver(): Promise<Receiver> {
  const receiver = await httpReceiver((_, response) => response.end())
  opened.push(receiver)
  return receiver
}

async function tlsReceiver({ certPem, keyPem }: Certificate): Promise<Receiver> {
  const server = createTlsServer({ cert: certPem, key: keyPem }, (request, response) => {
    response.end('servername' in request.socket ? String(request.socket.servername || '') : '')
  })
  const receiver = await receive(server)
  opened.push(receiver)
  return receiver
}
