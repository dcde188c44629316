import { randomBytes } from 'node:crypto'

const start = randomBytes(6).toString('hex')
let count = 0

/** Unique over all nodes and starts: a random prefix for each process, then a number. */
export function newRequestId(): string {
  count += 1
  return `req_${start}${count.toString(36).padStart(6, '0')}`
}
