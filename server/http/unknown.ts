import type { FastifyRequest } from 'fastify'
import { type Operation, operations } from '../../contract/operations.ts'
import { errors } from '../errors.ts'

const byPath = Map.groupBy(Object.values<Operation>(operations), ({ path }) => path)
const paths = [...byPath].map(([path, group]) => ({
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  methods: group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort(),
}))

/** 405 for a path that exists with other methods, 404 for one that does not. */
export function refuseUnknown(request: FastifyRequest): never {
  const path = request.url.split('?', 1)[0] as string
  const known = paths.find(({ pattern }) => pattern.test(path))
  if (known) throw errors.methodNotAllowed(request.method, known.methods.join(', '))
  // The pages beside the API have no placeholders: their path is their route. Anything else would be read as a pattern.
  if (/^[\w/.-]+$/.test(path) && request.server.hasRoute({ method: 'GET', url: path }))
    throw errors.methodNotAllowed(request.method, 'GET, HEAD')
  throw errors.unknownUrl(request.method, path.slice(0, 200))
}
