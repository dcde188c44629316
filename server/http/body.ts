import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { errors } from '../errors.ts'

/** Bodies are JSON in UTF-8, and nothing else. A GET or DELETE may carry one, and nobody looks at it. */
export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // `*` alone would do; the exact name is found without taking the header apart.
  app.addContentTypeParser(
    ['application/json', '*'],
    { parseAs: 'buffer', bodyLimit: limits.bodyBytes },
    (request: FastifyRequest, body: Buffer, done) => {
      try {
        done(null, request.method === 'POST' || request.method === 'PATCH' ? parseJson(body) : undefined)
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw errors.invalidJson('The body is empty. Send a JSON object.')
  if (!isUtf8(body)) throw errors.invalidJson('The body is not UTF-8.')
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch (error) {
    throw errors.invalidJson(`The body is not JSON: ${(error as Error).message.slice(0, 200)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw errors.invalidParams(['The body must be a JSON object'])
  return value
}
