import { type Operation, pathParameters } from '../../contract/operation.ts'
import { ID_PATTERN, ID_RULE } from '../../contract/schema.ts'
import { latestVersion, VERSION_HEADER, versionNames } from '../../contract/versions.ts'
import { plain } from './schemas.ts'
import type { Parameter, Reference, Schema } from './types.ts'

export const sharedParameters: Record<string, Parameter> = {
  ServiceVersion: {
    name: VERSION_HEADER,
    in: 'header',
    required: false,
    description: `The dated version of the API: ${versionNames.join(', ')}. Without it the latest is used. Sending it is recommended.`,
    schema: { type: 'string', enum: [...versionNames], default: latestVersion },
    example: latestVersion,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    'x-addition': true,
    description:
      'A name of your own for this request, such as a UUID. The request can be sent again with it: it is carried out once, and a repeat within 24 hours gets the same answer with `Idempotent-Replayed: true`. A request that failed may be changed and sent again with the same key.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '7f3c2a52-5d0e-4c0e-9a57-0f3a4f1f6f0b',
  },
  Notify: {
    name: 'Usher-Notify',
    in: 'header',
    required: false,
    'x-addition': true,
    description: '`false` stores without notifying webhook subscribers, for instance while history is loaded.',
    schema: { type: 'string', enum: ['true', 'false'], default: 'true' },
    example: 'false',
  },
}

export function parameters(operation: Operation): (Parameter | Reference)[] {
  return [
    ...pathParameters(operation.path).map(pathParameter),
    ...queryParameters(operation),
    shared('ServiceVersion'),
    ...(operation.method === 'GET' ? [] : [shared('IdempotencyKey')]),
    ...(operation.notifies ? [shared('Notify')] : []),
  ]
}

function shared(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` }
}

const exampleIds: Record<string, string> = {
  user_id: 'u_1',
  group_id: 'g_1',
  event_id: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f',
  webhook_subscription_id: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f',
  delivery_id: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f',
  content_id: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f',
  content_version_id: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f',
  segment_id: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f',
  content_session_id: '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f',
}

function pathParameter(name: string): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description: `The id of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}, percent-encoded (\`a/b\` is \`a%2Fb\`).`,
    schema: { type: 'string', pattern: ID_PATTERN, 'x-rule': ID_RULE },
    example: exampleIds[name],
  }
}

/** A list is written `name[]=a&name[]=b`. The brackets may be left out for a single value, so it is listed under both names. */
function queryParameters({ query }: Operation): Parameter[] {
  if (!query) return []
  const { properties = {}, required = [] } = plain<Schema>(query)
  return Object.entries(properties).flatMap(([name, field]) => {
    const parameter = queryParameter(name, field, required.includes(name))
    return field.type === 'array' ? [listParameter(parameter), singleParameter(parameter)] : [parameter]
  })
}

function queryParameter(name: string, field: Schema, required: boolean): Parameter {
  const { description = '', examples, 'x-addition': isAddition, ...schema } = field
  return {
    name,
    in: 'query',
    required,
    description,
    schema,
    example: examples?.[0],
    ...(isAddition && { 'x-addition': true }),
  }
}

function listParameter(parameter: Parameter): Parameter {
  const { name, description } = parameter
  return {
    ...parameter,
    name: `${name}[]`,
    description: `${description} A single value may also be sent as \`${name}=…\`.`,
    style: 'form',
    explode: true,
  }
}

function singleParameter(parameter: Parameter): Parameter {
  const { name, schema, example } = parameter
  return {
    ...parameter,
    description: `The same as \`${name}[]\`, for a single value. Send one of the two.`,
    schema: schema.items ?? {},
    example: [example].flat()[0],
  }
}
