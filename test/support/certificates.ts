import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Certificates for TLS tests, encoded here so that the tests need no openssl on the machine. */
export interface Certificate {
  certPem: string
  keyPem: string
}

export interface CertificateAuthority extends Certificate {
  name: string
}

interface CertificateRequest {
  names: string[]
  ips?: string[]
  days?: number
  expired?: boolean
  /** Self-signed without one. */
  issuer?: CertificateAuthority
}

const DAY_MS = 86_400_000
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))

export function makeAuthority(name = 'Test authority'): CertificateAuthority {
  const constraints = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))))
  return { name, ...issue({ subject: name, days: 30, expired: false, extensions: [constraints] }) }
}

export function makeCertificate({
  names,
  ips = [],
  days = 30,
  expired = false,
  issuer,
}: CertificateRequest): Certificate {
  const alternatives = [
    ...names.map((name) => der(0x82, Buffer.from(name))),
    ...ips.map((ip) => der(0x87, Buffer.from(ipaddr.parse(ip).toByteArray()))),
  ]
  const extensions = [extension('551d11', sequence(...alternatives))]
  const subject = names[0] ?? ips.find((ip) => isIP(ip)) ?? 'nobody'
  return issue({ subject, days, expired, extensions, ...(issuer && { issuer }) })
}

interface Issue {
  subject: string
  days: number
  expired: boolean
  extensions: Buffer[]
  issuer?: CertificateAuthority
}

function issue({ subject, days, expired, extensions, issuer }: Issue): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const until = Date.now() + (expired ? -DAY_MS : days * DAY_MS)
  const signed = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer?.name ?? subject),
    sequence(time(until - (days + 2) * DAY_MS), time(until)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', signed, issuer ? createPrivateKey(issuer.keyPem) : privateKey)
  const certificate = sequence(signed, ECDSA_WITH_SHA256, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return { certPem: pem(certificate), keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes)
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value))
}

function distinguishedName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))))
}

function time(ms: number): Buffer {
  return der(0x18, Buffer.from(new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')))
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
