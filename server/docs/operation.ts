import { escapeHtml } from '../http/escape-html.ts'
import type { OpenApiDocument, OperationObject, Parameter, Reference, Schema } from '../openapi/types.ts'
import { compactJson } from './compact-json.ts'
import { type ExampleCall, exampleCalls } from './example-calls.ts'
import { fieldTable, resourceLink, typeText } from './fields.ts'
import { breakable, code, inline, prose, table } from './html.ts'
import { codeBlock } from './markdown.ts'
import { type Samples, samplesOf } from './samples.ts'

export interface DocumentedOperation {
  method: string
  path: string
  operation: OperationObject
}

/** One operation: what it does, its parameters and fields, a request in three languages and the answer to it. */
export function renderOperation(
  document: OpenApiDocument,
  { method, path, operation }: DocumentedOperation,
  recorded: Record<string, unknown>,
): string {
  const { operationId: id } = operation
  const body = operation.requestBody?.content['application/json']
  const bodySchema = body && (lookUp(document, body.schema) as Schema)
  const samples = samplesOf(method.toUpperCase(), path, exampleCall(operation))
  return `<section class="operation prose">
<h2 id="${id}"><a class="anchor" href="#${id}">${escapeHtml(operation.summary)}</a></h2>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
${prose(operation.description)}
${parameterTable(document, operation)}
${bodySchema ? `<h4>Body</h4>${fieldTable(bodySchema)}` : ''}
<h4>Request</h4>
${renderSamples(samples, id)}
${renderAnswer(operation, recorded[id])}
${failures(operation)}
</section>`
}

/** The browser opens one at a time. */
export function renderSamples(samples: Samples, name: string): string {
  const parts = Object.entries(samples).map(([language, text], index) => {
    const open = index === 0 ? ' open' : ''
    return `<details class="sample" name="${name}" data-language="${language}"${open}><summary>${language}</summary>${codeBlock(text, language)}</details>`
  })
  return `<div class="samples">${parts.join('')}</div>`
}

function renderAnswer(operation: OperationObject, recorded: unknown): string {
  const success = operation.responses[200]
  if (!success || '$ref' in success) return ''
  const answer = success.content['application/json']
  if (!answer) return ''
  const title = answer.schema.$ref ? resourceLink(answer.schema.$ref) : 'JSON'
  return `<h4>Answer: ${title}</h4>${codeBlock(compactJson(recorded ?? answer.example), 'json')}`
}

/** Every operation has an example call: one that is missing does not compile. */
function exampleCall({ operationId }: OperationObject): ExampleCall {
  return exampleCalls.find(({ operation }) => operation === operationId) as ExampleCall
}

function parameterTable(document: OpenApiDocument, operation: OperationObject): string {
  const parameters = parametersOf(document, operation).filter((parameter) => parameter.in !== 'header')
  if (parameters.length === 0) return ''
  const rows = parameters.map((parameter) => [
    `<code>${breakable(parameter.name)}</code>${parameter.required ? ' <em class="required">required</em>' : ''}`,
    typeText(parameter.schema),
    `${inline(parameter.description)} <span class="example">${code([parameter.example].flat().join(', '))}</span>`,
  ])
  return `<h4>Parameters</h4>${table(['Parameter', 'Type', 'Meaning'], rows)}`
}

/** The failures of this operation that are not common to all. */
function failures({ responses }: OperationObject): string {
  const own = Object.entries(responses).flatMap(([status, response]) =>
    status === '200' || '$ref' in response
      ? []
      : Object.keys(response.content['application/json']?.examples ?? {}).map(
          (name) => `<a href="/docs/errors#${name}"><code>${escapeHtml(name)}</code></a>`,
        ),
  )
  return own.length > 0
    ? `<p class="note">Failures: ${own.join(', ')}, and the <a href="/docs/errors">errors</a> of every operation.</p>`
    : ''
}

function parametersOf(document: OpenApiDocument, operation: OperationObject): Parameter[] {
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
