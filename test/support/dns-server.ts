import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A name server on loopback. A name that it does not know does not exist; one with `hang` gets no answer. */
export interface DnsServer {
  address: string
  names: Map<string, string[] | 'hang'>
  /** The names that it was asked for, in order; each once for IPv4 and once for IPv6. */
  asked: string[]
  close(): Promise<void>
}

const NOT_FOUND = 3
const TYPES = { 1: isIPv4, 28: (address: string) => !isIPv4(address) } as const

export async function startDnsServer(names: Record<string, string[] | 'hang'> = {}): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const server: DnsServer = {
    address: '',
    names: new Map(Object.entries(names)),
    asked: [],
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
  socket.on('message', (query, peer) => {
    const { name, type, question } = readQuestion(query)
    server.asked.push(name)
    const found = server.names.get(name)
    if (found === 'hang') return
    const fits = TYPES[type as keyof typeof TYPES]
    const addresses = (found ?? []).filter((address) => fits?.(address))
    const flags = 0x8180 + (found === undefined ? NOT_FOUND : 0)
    const header = words(query.readUInt16BE(0), flags, 1, addresses.length, 0, 0)
    socket.send(Buffer.concat([header, question, ...addresses.map((address) => record(type, address))]), peer.port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  server.address = `127.0.0.1:${socket.address().port}`
  return server
}

function readQuestion(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const question = query.subarray(12, at + 5)
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), question }
}

/** Its name is a pointer to the question; it holds for a minute. */
function record(type: number, address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
  return Buffer.concat([words(0xc00c, type, 1, 0, 60, bytes.length), bytes])
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) buffer.writeUInt16BE(value, index * 2)
  return buffer
}
