import type { OpenApiDocument, OperationObject, Parameter, Reference, Schema } from '../openapi/types.ts'
import { fieldTable, resourceLink, typeText } from './fields.ts'
import { breakable, code, escapeHtml, inline, json, prose, table } from './html.ts'

export interface Endpoint {
  method: string
  path: string
  operation: OperationObject
}

/** One operation: what it does, a request that works when pasted, its parameters, fields, response and failures. */
export function renderEndpoint(
  document: OpenApiDocument,
  address: string,
  { method, path, operation }: Endpoint,
): string {
  const body = operation.requestBody?.content['application/json']
  const bodySchema = body && (lookUp(document, body.schema) as Schema)
  const success = operation.responses[200] as {
    content: { 'application/json': { schema: Reference; example: unknown } }
  }
  const answer = success.content['application/json']
  return `<section class="endpoint" id="${operation.operationId}">
<h3>${escapeHtml(operation.summary)}</h3>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
${prose(operation.description)}
${parameterTable(document, operation)}
${bodySchema ? `<h4>Body</h4>${fieldTable(bodySchema)}` : ''}
<h4>Request</h4>
<pre tabindex="0">${escapeHtml(curl(document, address, { method, path, operation }))}</pre>
<h4>Response: ${resourceLink(answer.schema.$ref)}</h4>
${json(answer.example)}
${failures(operation)}
</section>`
}

function parameterTable(document: OpenApiDocument, operation: OperationObject): string {
  const parameters = parametersOf(document, operation).filter((parameter) => parameter.in !== 'header')
  if (parameters.length === 0) return ''
  const rows = parameters.map((parameter) => [
    `<code>${breakable(parameter.name)}</code>${parameter.required ? ' <em>required</em>' : ''}`,
    typeText(parameter.schema),
    `${inline(parameter.description)} <span class="example">${code(exampleText(parameter.example))}</span>`,
  ])
  return `<h4>Parameters</h4>${table(['Parameter', 'Type', 'Meaning'], rows)}`
}

function exampleText(example: unknown): string {
  return [example].flat().join(', ')
}

/** What can go wrong here beside what can go wrong everywhere. */
function failures({ responses }: OperationObject): string {
  const own = Object.entries(responses).filter(([status, response]) => status !== '200' && !('$ref' in response))
  const words = own.map(([status]) => `<a href="#errors">${status}</a>`)
  return words.length > 0
    ? `<p class="note">Failures of its own: ${words.join(', ')}; see also the <a href="#errors">errors</a> of every operation.</p>`
    : ''
}

function curl(document: OpenApiDocument, address: string, { method, path, operation }: Endpoint): string {
  const parameters = parametersOf(document, operation)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(parameters.find((one) => one.name === name)?.example))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, example }) => `${name}=${example}`)
  const url = `${address}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const lines = [
    `curl ${method === 'get' || method === 'post' ? '' : `-X ${method.toUpperCase()} `}'${url}'`,
    "-H 'Authorization: Bearer <API key>'",
  ]
  const example = operation.requestBody?.content['application/json'].example
  if (example !== undefined) lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`)
  return lines.join(' \\\n  ')
}

export function parametersOf(document: OpenApiDocument, operation: OperationObject): Parameter[] {
  return operation.parameters.map((parameter) =>
    '$ref' in parameter ? (lookUp(document, parameter) as Parameter) : parameter,
  )
}

function lookUp(document: OpenApiDocument, { $ref }: Reference): unknown {
  return $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document)
}
