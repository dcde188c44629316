import { type TemplatePart, templateParts, templateProblems } from './templates.ts'

/** Which addresses documents may have. Nothing here can run code: a scheme that is not listed is refused. */

const LINK_RULE = 'must be an address with http, https, mailto or tel, or a relative one such as /projects'
const PLACE_RULE = 'a template may stand only after the host of an address: in its path, its query or its fragment'

/** The problem of an address that is opened by a link or a button. */
export function addressProblem(address: string): string | undefined {
  const [wrong] = templateProblems(address)
  if (wrong) return wrong
  const parts = templateParts(address)
  if (!hasPlainCharacters(parts)) return 'must not contain spaces, backslashes or control characters'
  const beginning = typeof parts[0] === 'string' ? parts[0] : ''
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(beginning)?.[1]?.toLowerCase()
  if (scheme === undefined) return relativeProblem(beginning, parts)
  if (scheme === 'mailto' || scheme === 'tel') return afterProblem(parts, /\?/)
  if (scheme !== 'http' && scheme !== 'https') return LINK_RULE
  if (!URL.canParse(parts.map((part) => (typeof part === 'string' ? part : 'x')).join(''))) return LINK_RULE
  if (!/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(beginning)) return parts.length > 1 ? PLACE_RULE : LINK_RULE
  return afterProblem(parts, /^https?:\/\/[^/?#]+[/?#]/i)
}

/** Browsers read `//host` and `/\host` as another host. A colon before the first slash would be a scheme. */
function relativeProblem(beginning: string, parts: readonly TemplatePart[]): string | undefined {
  if (beginning === '') return PLACE_RULE
  if (beginning.startsWith('//') || /^[^/?#]*:/.test(beginning)) return LINK_RULE
  return afterProblem(parts, /^(?:[^/?#]*[?#]|[^/?#]+\/|\/[^/]|\/$)/)
}

function afterProblem(parts: readonly TemplatePart[], place: RegExp): string | undefined {
  return parts.length > 1 && !place.test(parts[0] as string) ? PLACE_RULE : undefined
}

// Browsers leave out tabs and line breaks, and read a backslash as a slash.
const UNSAFE_CHARACTERS = '\\u0000-\\u0020\\\\\\u007f-\\u00a0\\u2028\\u2029'
const UNSAFE = new RegExp(`[${UNSAFE_CHARACTERS}]`)

function hasPlainCharacters(parts: readonly TemplatePart[]): boolean {
  return parts.every((part) => typeof part !== 'string' || !UNSAFE.test(part))
}

export function imageProblem(address: string): string | undefined {
  if (address.includes('{{')) return 'must not have a template: a picture is the same for everybody'
  return isHttps(address) ? undefined : 'must be an https address'
}

/** The hosts of videos, and the address of their player for the path of a video. */
const players: Readonly<Record<string, (url: URL) => string | undefined>> = {
  'www.youtube.com': (url) => youtube(url.searchParams.get('v') ?? lastOf(url, '/embed/') ?? lastOf(url, '/shorts/')),
  'www.youtube-nocookie.com': (url) => youtube(lastOf(url, '/embed/')),
  'youtu.be': (url) => youtube(lastOf(url, '/')),
  'vimeo.com': (url) => vimeo(lastOf(url, '/')),
  'player.vimeo.com': (url) => vimeo(lastOf(url, '/video/')),
  'www.loom.com': (url) => loom(lastOf(url, '/share/') ?? lastOf(url, '/embed/')),
}

const youtube = (id: string | undefined) => id && `https://www.youtube-nocookie.com/embed/${id}`
const vimeo = (id: string | undefined) => id && `https://player.vimeo.com/video/${id}`
const loom = (id: string | undefined) => id && `https://www.loom.com/embed/${id}`

/** The id of a video behind this beginning of the path. */
function lastOf(url: URL, beginning: string): string | undefined {
  if (!url.pathname.startsWith(beginning)) return undefined
  const id = url.pathname.slice(beginning.length)
  return /^[\w-]{1,64}$/.test(id) ? id : undefined
}

/** The address that a frame shows for the address of a video; undefined when its host is not allowed. */
export function playerOf(address: string): string | undefined {
  if (!isHttps(address)) return undefined
  const url = new URL(address)
  const host = ['youtube.com', 'm.youtube.com'].includes(url.hostname) ? 'www.youtube.com' : url.hostname
  const player = Object.hasOwn(players, host) ? players[host]?.(url) : undefined
  return player !== undefined && /^[\w./:-]+$/.test(player) ? player : undefined
}

export function videoProblem(address: string): string | undefined {
  return playerOf(address) ? undefined : 'must be the https address of a video at YouTube, Vimeo or Loom'
}

function isHttps(address: string): boolean {
  return /^https:\/\/[^/?#@\s\\]+(?:[/?#][^\s\\]*)?$/i.test(address) && URL.canParse(address)
}
