import type { IncomingHttpHeaders } from 'node:http'
import { isVersion, VERSION_HEADER, versionNames } from '../../contract/versions.ts'
import { errors } from '../errors.ts'
import { checkEncoding } from './decompression.ts'
import { weights } from './weights.ts'

/** The media types of an operation. */
interface Negotiable {
  body?: object
  hasOptionalBody?: boolean
  takesText?: boolean
  produces?: string
}

/** Checks the headers about the form of the request and of the response. */
export function negotiate(
  { body, hasOptionalBody, takesText, produces }: Negotiable,
  headers: IncomingHttpHeaders,
  versionHeader?: string,
): void {
  checkVersion(VERSION_HEADER, headers['service-version'])
  if (versionHeader !== undefined) checkVersion(versionHeader, headers[versionHeader.toLowerCase()])
  if (produces === undefined && !acceptsJson(headers.accept)) throw errors.notAcceptable()
  const isReadable = isJson(headers['content-type']) || (takesText && isPlainText(headers['content-type']))
  if (body && !isReadable && !(hasOptionalBody && hasNoBody(headers))) throw errors.unsupportedMediaType()
  if (body) checkEncoding(headers['content-encoding'])
}

function hasNoBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

function checkVersion(header: string, version: string | string[] | undefined): void {
  if (version === undefined || isVersion(String(version))) return
  throw errors.invalidParams([`${header}: must be one of ${versionNames.join(', ')}, or absent`])
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  return contentType !== undefined && /^application\/json[ \t]*(;|$)/i.test(contentType.trim())
}

/** What a page may send to another origin without a preflight. */
export function isPlainText(contentType: string | undefined): boolean {
  return contentType !== undefined && /^text\/plain[ \t]*(;|$)/i.test(contentType.trim())
}

/** The most specific range that matches JSON decides. A weight of 0 excludes JSON. */
function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true
  const ranges = weights(accept)
  for (const range of ['application/json', 'application/*', '*/*']) {
    const weight = ranges.get(range)
    if (weight !== undefined) return weight > 0
  }
  return accept.trim() === ''
}
