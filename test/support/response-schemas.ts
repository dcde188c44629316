import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isDateTime } from '../../contract/datetime.ts'
import { errorCodes } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { type ResourceName, resources } from '../../contract/resources.ts'

/** Validates the answers of a server against their schemas: an undeclared key fails, on any level. */

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: true })
  .addFormat('date-time', isDateTime)
  .addFormat('uri', (text: string) => URL.canParse(text))
  .addVocabulary(['x-rule', 'x-check', 'x-exact', 'x-id', 'x-as-read', 'x-addition', 'components'])
  .addSchema({ $id: 'usher', components: { schemas: resources } })

const compiled = new Map<ResourceName, ValidateFunction>()

export function checkResource(name: ResourceName, body: unknown): void {
  const validate = compiled.get(name) ?? ajv.compile({ $ref: `usher#/components/schemas/${name}` })
  compiled.set(name, validate)
  if (validate(body)) return
  throw new Error(`not a ${name}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)?.slice(0, 2_000)}`)
}

const routes = Object.values<Operation>(operations).map((operation) => ({
  ...operation,
  pattern: new RegExp(`^${operation.path.replace(/:\w+/g, '[^/]+')}/?$`),
}))

/** The operation that a request is one of, if any: a page such as /docs is not. */
function operationOf(method: string, path: string): Operation | undefined {
  const bare = path.split('?', 1)[0] as string
  return routes.find((route) => route.method === method && route.pattern.test(bare))
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Every answer has a request id, and every failure is the one envelope with a code that belongs to its status. */
export function checkAnswer(method: string, path: string, { status, headers, text }: Answer): unknown {
  const requestId = headers['request-id']
  if (typeof requestId !== 'string' || requestId === '') throw new Error(`${method} ${path}: no Request-Id`)
  const operation = operationOf(method, path)
  if (method === 'HEAD' || (status < 400 && !operation)) return text
  if (!/^application\/json; charset=utf-8$/.test(String(headers['content-type'])))
    throw new Error(`${method} ${path}: ${status} is ${String(headers['content-type'])}`)
  const body: unknown = JSON.parse(text)
  if (status === 200 && operation) checkResource(operation.response, body)
  else checkFailure(status, requestId, body)
  return body
}

function checkFailure(status: number, requestId: string, body: unknown): void {
  checkResource('Error', body)
  const { code, request_id } = (body as { error: { code: string; request_id: string } }).error
  if (request_id !== requestId) throw new Error(`request_id ${request_id} is not the header's ${requestId}`)
  const declared = errorCodes[code as keyof typeof errorCodes]
  if (declared?.status !== status) throw new Error(`${status} with the code ${code}`)
}
