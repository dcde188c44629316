import type { IncomingHttpHeaders } from 'node:http'
import { isVersion, versionNames } from '../../contract/versions.ts'
import { errors } from '../errors.ts'

/** The headers that say in which form a request is and its response is wanted. */
export function negotiate(method: string, headers: IncomingHttpHeaders): void {
  checkVersion(headers['service-version'])
  if (!acceptsJson(headers.accept)) throw errors.notAcceptable()
  if ((method === 'POST' || method === 'PATCH') && !isJson(headers['content-type'])) throw errors.unsupportedMediaType()
}

function checkVersion(version: string | string[] | undefined): void {
  if (version === undefined || isVersion(String(version))) return
  throw errors.invalidParams([`Service-Version: must be one of ${versionNames.join(', ')}, or absent`])
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  return contentType !== undefined && /^application\/json[ \t]*(;|$)/i.test(contentType.trim())
}

/** The most specific range that fits JSON decides; one with a weight of 0 excludes it. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true
  const ranges = new Map(accept.split(',').map(parseRange))
  for (const range of ['application/json', 'application/*', '*/*']) {
    const weight = ranges.get(range)
    if (weight !== undefined) return weight > 0
  }
  return accept.trim() === ''
}

function parseRange(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [type, weight === undefined ? 1 : Number(weight.slice(2))]
}
