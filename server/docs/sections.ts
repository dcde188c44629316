import { escapeHtml } from '../http/escape-html.ts'
import { exampleOf } from '../openapi/schemas.ts'
import type { OpenApiDocument, Schema } from '../openapi/types.ts'
import { compactJson } from './compact-json.ts'
import { fieldTable } from './fields.ts'
import { code, inline, prose, slug, table } from './html.ts'
import { codeBlock } from './markdown.ts'

const title = (id: string, text: string) =>
  `<h2 id="${id}"><a class="anchor" href="#${id}">${escapeHtml(text)}</a></h2>`
const jsonBlock = (value: unknown) => codeBlock(compactJson(value), 'json')

export function renderAttributes(document: OpenApiDocument): string {
  const inputs = document.components.schemas.UpsertUser?.properties?.attributes
  const value = inputs?.additionalProperties as Schema
  return `${title('attributes', 'Attributes')}
${prose('Users, groups, memberships and events carry `attributes`: a map from names to strings, numbers and booleans. In a request a value is a literal, `null`, or an object with exactly one operation. Values come back as they were sent.')}
${fieldTable(value)}${jsonBlock(inputs?.examples?.[0])}`
}

export function renderResources(document: OpenApiDocument, names: readonly string[]): string {
  return names
    .map((name) => {
      const schema = document.components.schemas[name] as Schema
      return `<section class="prose">${title(name, name)}${prose(schema.description ?? '')}${fieldTable(schema)}${jsonBlock(exampleOf(schema))}</section>`
    })
    .join('')
}

export function renderHeaders(document: OpenApiDocument): string {
  const row = (name: string, place: string, description: string, example: unknown) => [
    code(name),
    place,
    `${inline(description)} <span class="example">${code(example)}</span>`,
  ]
  const sent = Object.values(document.components.parameters).map(({ name, description, example }) =>
    row(name, 'request', description, example),
  )
  const received = Object.entries(document.components.headers).map(([name, { description, example }]) =>
    row(name, 'answer', description, example),
  )
  return `${title('headers', 'Headers')}${table(['Header', 'In', 'Meaning'], [...sent, ...received])}`
}

export function renderNotifications(document: OpenApiDocument): string {
  return Object.entries(document.webhooks)
    .map(([topic, { post }]) => {
      const rows = post.parameters.flatMap((parameter) =>
        '$ref' in parameter
          ? []
          : [
              [
                code(parameter.name),
                `${inline(parameter.description)} <span class="example">${code(parameter.example)}</span>`,
              ],
            ],
      )
      const acknowledged = post.responses['2XX']
      return `<section class="operation prose">${title(slug(topic), post.summary)}
<p class="route"><span class="method post">POST</span> to the <code>url</code> of a subscription</p>
${prose(post.description)}${table(['Header', 'Meaning'], rows)}${jsonBlock(post.requestBody?.content['application/json'].example)}
${acknowledged && 'description' in acknowledged ? prose(`**2xx** ${acknowledged.description}`) : ''}</section>`
    })
    .join('')
}
