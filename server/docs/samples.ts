import type { OperationName } from '../../contract/operations.ts'
import { compactJson } from './compact-json.ts'
import type { ExampleCall } from './example-calls.ts'
import { pathOfCall } from './example-calls.ts'

/** The same call in three languages. Each continues the preparation at the top of the reference. */
export interface Samples {
  curl: string
  TypeScript: string
  Python: string
}

export const preparation = {
  curl: `export USHER_URL=http://127.0.0.1:8080
export USHER_API_KEY=ak_…`,
  TypeScript: `import { Usher } from '@usher/client'

const usher = new Usher({
  baseUrl: process.env.USHER_URL ?? '',
  apiKey: process.env.USHER_API_KEY ?? '',
})`,
  Python: `import json, os, urllib.request

def call(method, path, body=None):
    request = urllib.request.Request(os.environ["USHER_URL"] + path, method=method)
    request.add_header("Authorization", "Bearer " + os.environ["USHER_API_KEY"])
    if body is not None:
        request.add_header("Content-Type", "application/json")
        request.data = json.dumps(body).encode()
    with urllib.request.urlopen(request) as response:
        return json.load(response)`,
}

/** The method of the client for each operation, and its arguments: the id, the body, the query. */
const methods: Record<
  OperationName,
  [name: string, ...takes: ('id' | 'second id' | 'body' | 'query' | 'operations')[]]
> = {
  upsertUser: ['users.upsert', 'body'],
  getUser: ['users.retrieve', 'id'],
  deleteUser: ['users.delete', 'id'],
  listUsers: ['users.list', 'query'],
  exportUser: ['users.export', 'id'],
  upsertGroup: ['groups.upsert', 'body'],
  getGroup: ['groups.retrieve', 'id'],
  deleteGroup: ['groups.delete', 'id'],
  listGroups: ['groups.list', 'query'],
  removeMembership: ['memberships.delete', 'query'],
  trackEvent: ['events.track', 'body'],
  listEvents: ['events.list', 'query'],
  getEvent: ['events.retrieve', 'id'],
  deleteEvent: ['events.delete', 'id'],
  listAttributeDefinitions: ['attributeDefinitions.list', 'query'],
  listEventDefinitions: ['eventDefinitions.list', 'query'],
  saveSegment: ['segments.save', 'body'],
  countSegment: ['segments.count', 'body'],
  explainSegment: ['segments.explain', 'body'],
  getSegment: ['segments.retrieve', 'id'],
  deleteSegment: ['segments.delete', 'id'],
  listSegments: ['segments.list', 'query'],
  runBatch: ['batch', 'operations'],
  claimContent: ['contentSessions.claim', 'body'],
  reportProgress: ['contentSessions.progress', 'id', 'body'],
  listContentSessions: ['contentSessions.list', 'query'],
  getContentSession: ['contentSessions.retrieve', 'id'],
  endContentSession: ['contentSessions.end', 'id'],
  deleteContentSession: ['contentSessions.delete', 'id'],
  forgetContentSessions: ['contentSessions.forget', 'query'],
  createWebhookSubscription: ['webhookSubscriptions.create', 'body'],
  getWebhookSubscription: ['webhookSubscriptions.retrieve', 'id'],
  updateWebhookSubscription: ['webhookSubscriptions.update', 'id', 'body'],
  deleteWebhookSubscription: ['webhookSubscriptions.delete', 'id'],
  listWebhookSubscriptions: ['webhookSubscriptions.list', 'query'],
  listWebhookDeliveries: ['webhookSubscriptions.deliveries', 'id', 'query'],
  getWebhookDelivery: ['webhookSubscriptions.delivery', 'id', 'second id'],
  retryWebhookDelivery: ['webhookSubscriptions.retryDelivery', 'id', 'second id'],
  testWebhookSubscription: ['webhookSubscriptions.test', 'id'],
  replayWebhookNotifications: ['webhookSubscriptions.replay', 'id', 'body'],
  rotateWebhookSecret: ['webhookSubscriptions.rotateSecret', 'id', 'body'],
  listContent: ['content.list', 'query'],
  getContent: ['content.retrieve', 'id'],
  saveContent: ['content.save', 'body'],
  publishContent: ['content.publish', 'id', 'body'],
  pushContent: ['content.push', 'body'],
  unpublishContent: ['content.unpublish', 'id'],
  deleteContent: ['content.delete', 'id'],
  listContentVersions: ['content.versions', 'query'],
  getContentVersion: ['content.version', 'id'],
  listThemes: ['themes.list', 'query'],
  saveTheme: ['themes.save', 'body'],
  decide: ['decisions.decide', 'body'],
}

export function samplesOf(method: string, path: string, call: ExampleCall): Samples {
  const target = pathOfCall(path, call)
  return {
    curl: curlOf(method, target, call.body),
    TypeScript: typescriptOf(call),
    Python: `print(call("${method}", "${target}"${call.body === undefined ? '' : `, ${pythonOf(call.body)}`}))`,
  }
}

function curlOf(method: string, target: string, body: unknown): string {
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `
  const lines = [`curl ${verb}"$USHER_URL${target}"`, '-H "Authorization: Bearer $USHER_API_KEY"']
  if (body !== undefined)
    lines.push("-H 'Content-Type: application/json'", `-d '${compactJson(body).replaceAll("'", "'\\''")}'`)
  return lines.join(' \\\n  ')
}

function typescriptOf({ operation, params = {}, query = {}, body }: ExampleCall): string {
  const [name, ...takes] = methods[operation]
  const given = takes.map((what) => {
    if (what === 'id' || what === 'second id') return literal(Object.values(params)[what === 'id' ? 0 : 1])
    if (what === 'operations') return literal((body as { operations: unknown }).operations)
    return literal(what === 'body' ? body : single(query))
  })
  const rest = takes.includes('query') || Object.keys(query).length === 0 ? [] : [literal(single(query))]
  const written = [...given, ...rest].filter((text) => text !== '{}').join(', ')
  return `console.log(await usher.${name}(${written}))`
}

/** A list of one value is written as the value. */
function single(query: NonNullable<ExampleCall['query']>): unknown {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) && value.length === 1 ? value[0] : value]),
  )
}

/** A value as TypeScript: JSON with bare keys and single quotes. */
function literal(value: unknown): string {
  return compactJson(value)
    .replace(/([{,]\s*|^\s*)"([a-z_]\w*)": /gim, '$1$2: ')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) => `'${text.replaceAll("'", "\\'")}'`)
}

const constants: Record<string, string> = { true: 'True', false: 'False', null: 'None' }

function pythonOf(value: unknown): string {
  return compactJson(value).replace(
    /(: |\[|, |^\s*)(true|false|null)\b/gm,
    (_, before, word) => before + constants[word],
  )
}
