import { operationKeys } from '../../contract/attributes.ts'
import { type LimitName, limitMeanings, limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { plans } from '../../contract/plans.ts'
import { VERSION } from '../version.ts'
import { parameters, sharedParameters } from './parameters.ts'
import { headers, responses, sharedResponses } from './responses.ts'
import { exampleOf, plain, requestName, schemaRef, schemas } from './schemas.ts'
import type { OpenApiDocument, OperationObject } from './types.ts'
import { Acknowledgement, webhooks } from './webhooks.ts'

const description = `Usher keeps the users, groups and events of your application, and notifies it by signed webhooks.

Every request carries \`Authorization: Bearer <API key>\`; a key belongs to one environment and sees nothing else. Requests and responses are JSON over HTTPS. Success is always 200. A body may be compressed, with \`Content-Encoding\` gzip, deflate, br or zstd; its limit counts after decompression. An answer above 1 KB is compressed when \`Accept-Encoding\` has br or gzip.

**Upserts.** \`POST /users\` and \`POST /groups\` create what is new and merge attributes into what exists: a literal sets, \`null\` removes, and an operation (${operationKeys.map((key) => `\`${key}\``).join(', ')}) does what it says. One request is stored whole or not at all.

**Lists** are read page by page: follow \`next_page_url\` while \`has_more\` is true. It is set beside \`has_more: false\` too: asked again later, it shows what was added since.

**Expansion.** \`expand\` fills fields that are null otherwise, such as \`memberships.group\`, on every endpoint that returns them.

**Unknown body fields** are refused and named; unknown query parameters and headers are ignored. The header \`Usher-Ignored-Parameters\` of the answer names such parameters. An object that was read can be sent back, its expanded parts included: what cannot be written is ignored.

**Additions** to the contract are marked \`x-addition\`. A client that does not use them need not know them.

**Requests per minute**, by plan: ${Object.entries(plans)
  .map(([name, { requestsPerMinute }]) => `${name} ${requestsPerMinute?.toLocaleString('en') ?? 'unlimited'}`)
  .join(', ')}.`

const tags: Record<(typeof operations)[keyof typeof operations]['tag'], string> = {
  Users: 'The end users of your application.',
  Groups: 'Groups of users, such as companies or teams, and who is a member.',
  Events: 'What users and groups did.',
  Segments: 'Named conditions: who is in them is asked live.',
  Content: 'Guided flows and what else is shown to users, its versions and themes, and the decision who sees it now.',
  'Content sessions': 'What users were shown of guided flows, how far they came, and what they answered.',
  Batch: 'Many writes in one request.',
  Definitions: 'The names of attributes and events, made when they are first seen.',
  Webhooks: 'Where notifications are sent, and the notifications themselves.',
}

/** The OpenAPI 3.1 document, from the same schemas that validate requests and the answers in tests. */
export function buildDocument(serverUrl = '/'): OpenApiDocument {
  return plain<OpenApiDocument>({
    openapi: '3.1.1',
    info: {
      title: 'Usher',
      version: VERSION,
      summary: 'Users, groups and events of your application, with signed webhooks.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This server.' }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    security: [{ apiKey: [] }],
    paths: paths(),
    webhooks,
    components: {
      schemas: { ...schemas, Acknowledgement },
      parameters: sharedParameters,
      headers,
      responses: sharedResponses,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `ak_` and 26 characters. Keys belong into back ends, never into browsers.',
        },
      },
    },
    'x-limits': limitTable(),
  } satisfies OpenApiDocument)
}

function paths(): OpenApiDocument['paths'] {
  const built: OpenApiDocument['paths'] = {}
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    built[path] = { ...built[path], [operation.method.toLowerCase()]: operationObject(name, operation) }
  }
  return built
}

function operationObject(name: string, operation: Operation): OperationObject {
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    parameters: parameters(operation),
    ...(operation.body && { requestBody: requestBody(operation.body, operation.hasOptionalBody) }),
    responses: responses(operation),
    ...(operation.isAddition && { 'x-addition': true as const }),
  }
}

function requestBody(
  body: NonNullable<Operation['body']>,
  isOptional = false,
): NonNullable<OperationObject['requestBody']> {
  const schema = schemaRef(requestName(body))
  return {
    required: !isOptional,
    description: schemas[requestName(body)]?.description ?? '',
    content: { 'application/json': { schema, example: exampleOf(schema) } },
  }
}

function limitTable(): OpenApiDocument['x-limits'] {
  return Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [name, { value, ...limitMeanings[name as LimitName] }]),
  )
}
