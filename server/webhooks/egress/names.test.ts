import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asyncResources } from '../../../test/support/async-resources.ts'
import { type DnsServer, startDnsServer } from '../../../test/support/dns-server.ts'
import { httpReceiver } from '../../../test/support/receivers.ts'
import { NameResolver } from './names.ts'
import { readHosts, readSearchDomains } from './resolver-files.ts'
import { Sender } from './send.ts'

let dns: DnsServer
let folder: string
let resolver: NameResolver

beforeEach(async () => {
  dns = await startDnsServer()
  folder = mkdtempSync(join(tmpdir(), 'usher-names-'))
  writeFiles('', '')
  resolver = new NameResolver({
    servers: [dns.address],
    hostsFile: join(folder, 'hosts'),
    resolvConf: join(folder, 'resolv.conf'),
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
  await dns.close()
})

function writeFiles(hosts: string, resolvConf: string): void {
  writeFileSync(join(folder, 'hosts'), hosts)
  writeFileSync(join(folder, 'resolv.conf'), resolvConf)
}

describe("libuv's pool of threads", () => {
  it('stays free while names do not resolve', async () => {
    for (let index = 0; index < 32; index += 1) dns.names.set(`n${index}.example`, 'hang')
    const types = await asyncResources(async () => {
      const pending = [...dns.names.keys()].map((name) => resolver.resolve(name))
      for (const each of pending) each.catch(() => {})
      await expect.poll(() => new Set(dns.asked).size).toBe(32)
    })
    expect([...types]).toContain('QUERYWRAP')
    expect([...types]).not.toContain('GETADDRINFOREQWRAP')
    expect(await readFile(join(folder, 'hosts'), 'utf8')).toBe('')
  })

  it('is not used by a delivery', async () => {
    const receiver = await httpReceiver((_, response) => response.end())
    const limits = { connectTimeoutMs: 5_000, totalTimeoutMs: 15_000 }
    const sender = new Sender({ allowPrivate: true, userAgent: 'Usher/test', ...limits })
    const types = await asyncResources(async () => {
      const { ok, failure } = await sender.send(`http://localhost:${receiver.port}/`, {}, '{}')
      expect(ok, failure).toBe(true)
    })
    expect([...types]).not.toContain('GETADDRINFOREQWRAP')
    await sender.close()
    await receiver.close()
  })
})

describe('a name', () => {
  it('has all its addresses of both families', async () => {
    dns.names.set('both.example', ['2001:db8::1', '192.0.2.1', '192.0.2.2'])
    dns.names.set('six.example', ['2001:db8::1'])
    expect(await resolver.resolve('both.example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
    expect(await resolver.resolve('SIX.example')).toEqual(['2001:db8::1'])
  })

  it('that does not exist, or has no address, is a failure in plain words', async () => {
    dns.names.set('empty.example', [])
    await expect(resolver.resolve('absent.example')).rejects.toThrow('could not resolve the name')
    await expect(resolver.resolve('empty.example')).rejects.toThrow('could not resolve the name')
  })

  it('whose name server is unreachable is a failure in plain words', async () => {
    const other = await startDnsServer()
    await other.close()
    const unreachable = new NameResolver({ servers: [other.address], hostsFile: '', resolvConf: '' })
    await expect(unreachable.resolve('hook.example')).rejects.toThrow('could not resolve the name')
  })

  it('is resolved again each time', async () => {
    dns.names.set('moving.example', ['192.0.2.1'])
    expect(await resolver.resolve('moving.example')).toEqual(['192.0.2.1'])
    dns.names.set('moving.example', ['192.0.2.2'])
    expect(await resolver.resolve('moving.example')).toEqual(['192.0.2.2'])
  })
})

describe('the hosts file', () => {
  it('goes before the name server', async () => {
    dns.names.set('hook.example', ['192.0.2.1'])
    writeFiles('# comment\n10.0.0.7 hook.example Alias # more\nfe80::1%lo0 broken\nnonsense\n10.0.0.8 alias\n', '')
    expect(await resolver.resolve('hook.example')).toEqual(['10.0.0.7'])
    expect(await resolver.resolve('alias')).toEqual(['10.0.0.7', '10.0.0.8'])
    expect(dns.asked).toEqual([])
  })

  it('is read again after a change', async () => {
    writeFiles('10.0.0.7 hook.example', '')
    expect(await resolver.resolve('hook.example')).toEqual(['10.0.0.7'])
    writeFiles('10.0.0.8 hook.example', '')
    const later = performance.now() + 6_000
    vi.spyOn(performance, 'now').mockReturnValue(later)
    expect(await resolver.resolve('hook.example')).toEqual(['10.0.0.8'])
  })

  it('may leave out localhost, which is still this machine', async () => {
    dns.names.set('localhost', ['192.0.2.1'])
    expect(await resolver.resolve('localhost')).toEqual(['127.0.0.1', '::1'])
    expect(await resolver.resolve('hook.localhost')).toEqual(['127.0.0.1', '::1'])
  })

  it.each(['', '\n\n', 'x', '1.2.3.4', '1.2.3.4\t', '\u0000'])('may hold %j', (text) => {
    expect(readHosts(text).size).toBe(0)
  })
})

describe('the search domains', () => {
  beforeEach(() => writeFiles('', 'nameserver 192.0.2.53\nsearch first.test second.test.\noptions ndots:5\n'))

  it('come first for a name without a dot, in their order', async () => {
    dns.names.set('hook.second.test', ['192.0.2.2'])
    dns.names.set('hook', ['192.0.2.3'])
    expect(await resolver.resolve('hook')).toEqual(['192.0.2.2'])
    expect(new Set(dns.asked)).toEqual(new Set(['hook.first.test', 'hook.second.test']))
  })

  it('come last for a name with a dot', async () => {
    dns.names.set('hook.team', ['192.0.2.1'])
    dns.names.set('hook.team.first.test', ['192.0.2.2'])
    dns.names.set('other.team.first.test', ['192.0.2.4'])
    expect(await resolver.resolve('hook.team')).toEqual(['192.0.2.1'])
    expect(new Set(dns.asked)).toEqual(new Set(['hook.team']))
    expect(await resolver.resolve('other.team')).toEqual(['192.0.2.4'])
  })

  it('are those of the last line that sets them', () => {
    expect(readSearchDomains('search a.test b.test\n; search c.test\ndomain D.test')).toEqual(['d.test'])
    expect(readSearchDomains('search .\n')).toEqual([])
    expect(readSearchDomains('')).toEqual([])
  })
})
