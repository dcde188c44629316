/**
 * Requests as a text with holes, so that a process can be told which to send. The holes are `{n}` (the number of a user),
 * `{g}` and `{h}` (two of the thousand groups, by the user's number) and `{r}` (three digits that differ each time). All
 * are filled with a fixed number of digits, so the length of a body is known beforehand.
 */
export interface Traffic {
  method: 'GET' | 'POST'
  path: string
  body?: string
  /** How many users there are to choose from, or `new`: each request has a number that no other has. */
  users: number | 'new'
}

export const GROUPS = 1_000
export const KEY = 'ak_abcdefghijklmnopqrstuvwxyz'

const DIGITS = 8
/** Above every number that a seeded user has. */
let lastNew = 20_000_000

export const userId = (number: number) => `user_${digits(number, DIGITS)}`
export const groupId = (number: number) => `group_${digits(number, DIGITS)}`

function digits(number: number, count: number): string {
  return String(number).padStart(count, '0')
}

/** Makes the requests of a traffic, one call each, as they go over the wire. */
export function requestMaker({ method, path, body, users }: Traffic): () => string {
  const length =
    body === undefined ? 0 : Buffer.byteLength(body.replaceAll('{r}', '000').replace(/\{[ngh]\}/g, '00000000'))
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${KEY}\r\naccept: application/json\r\n`
  const rest =
    body === undefined ? '\r\n' : `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`
  const parts = (head + rest).split(/(\{[nghr]\})/)
  return () => fill(parts, users === 'new' ? ++lastNew : Math.floor(Math.random() * users))
}

function fill(parts: readonly string[], number: number): string {
  let text = ''
  for (const part of parts) {
    if (part === '{n}') text += digits(number, DIGITS)
    else if (part === '{g}') text += digits(number % GROUPS, DIGITS)
    else if (part === '{h}') text += digits((number + 500) % GROUPS, DIGITS)
    else if (part === '{r}') text += 100 + Math.floor(Math.random() * 900)
    else text += part
  }
  return text
}
