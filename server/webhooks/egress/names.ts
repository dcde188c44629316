import { Resolver } from 'node:dns/promises'
import { failureText } from '../../../contract/delivery-failures.ts'
import { PlainFailure } from './failures.ts'
import { readHosts, readSearchDomains, TextFile } from './resolver-files.ts'
import { isLocalName } from './url.ts'

export interface NameResolverOptions {
  /** Name servers with their ports; those of the system unless they are given. */
  servers?: string[]
  hostsFile?: string
  resolvConf?: string
}

/** Two tries of 1.5 s and 3 s: the failure is known before the 5 s of a connection are over. */
const RESOLVER_OPTIONS = { timeout: 1_500, tries: 2 }
/** The name does not exist, or has no address of this family. Any other code is a failure of the name server. */
const ABSENT = ['ENOTFOUND', 'ENODATA']

/**
 * Finds the addresses of a name: in the hosts file, then at the name servers, with the search domains of the system.
 *
 * It uses c-ares and not `dns.lookup`, which runs in libuv's pool of four threads. A name that does not resolve holds
 * such a thread for many seconds, and everything else that needs the pool (files, certificates, PostgreSQL's host name)
 * waits behind it. c-ares waits on a socket, so any number of names may be pending.
 */
export class NameResolver {
  readonly #servers: string[] | undefined
  readonly #hostsFile: TextFile
  readonly #resolvConf: TextFile
  #hosts = new Map<string, string[]>()
  #searchDomains: string[] = []
  #resolver = new Resolver(RESOLVER_OPTIONS)

  constructor({ servers, hostsFile = '/etc/hosts', resolvConf = '/etc/resolv.conf' }: NameResolverOptions = {}) {
    this.#servers = servers
    this.#hostsFile = new TextFile(hostsFile)
    this.#resolvConf = new TextFile(resolvConf)
    if (servers) this.#resolver.setServers(servers)
  }

  readonly resolve = async (hostname: string): Promise<string[]> => {
    this.#refresh()
    const host = hostname.toLowerCase()
    const known = this.#hosts.get(host) ?? (isLocalName(host) ? ['127.0.0.1', '::1'] : undefined)
    if (known) return known
    let failure: unknown
    for (const name of this.#candidates(host)) {
      const found = await this.#resolve(name)
      if (found.addresses.length > 0) return found.addresses
      failure ??= found.failure
    }
    throw new PlainFailure(failureText('name_not_resolved'), { cause: failure })
  }

  /** c-ares reads the name servers once, when a resolver is made. A change of the file makes a new one. */
  #refresh(): void {
    if (this.#hostsFile.changed()) this.#hosts = readHosts(this.#hostsFile.text)
    if (!this.#resolvConf.changed()) return
    this.#searchDomains = readSearchDomains(this.#resolvConf.text)
    this.#resolver = new Resolver(RESOLVER_OPTIONS)
    if (this.#servers) this.#resolver.setServers(this.#servers)
  }

  /** A name with a dot is tried as it is first; one without a dot is tried in the search domains first. */
  #candidates(host: string): string[] {
    const searched = this.#searchDomains.map((domain) => `${host}.${domain}`)
    return host.includes('.') ? [host, ...searched] : [...searched, host]
  }

  async #resolve(name: string): Promise<{ addresses: string[]; failure: unknown }> {
    const answers = await Promise.allSettled([this.#resolver.resolve4(name), this.#resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    return { addresses, failure: failures.find(({ code }) => !ABSENT.includes(code)) }
  }
}
