import { errorCodes } from '../../contract/errors.ts'
import { exampleOf } from '../openapi/schemas.ts'
import type { OpenApiDocument, Schema } from '../openapi/types.ts'
import { fieldTable } from './fields.ts'
import { code, escapeHtml, inline, json, prose, slug, table } from './html.ts'

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()

export function renderAttributes(document: OpenApiDocument): string {
  const inputs = document.components.schemas.UpsertUser?.properties?.attributes
  const value = inputs?.additionalProperties as Schema
  return `<section id="attributes"><h2>Attributes</h2>
${prose('Users, groups, memberships and events carry `attributes`: a map from names to strings, numbers and booleans. In a request a value is a literal, `null`, or an object with exactly one operation. Values come back as they were sent.')}
${fieldTable(value)}
${json(inputs?.examples?.[0])}</section>`
}

export function renderResources(document: OpenApiDocument, names: readonly string[]): string {
  const resources = names.map((name) => {
    const schema = document.components.schemas[name] as Schema
    return `<section id="${name}"><h3>${name}</h3>${prose(schema.description ?? '')}${fieldTable(schema)}${json(exampleOf(schema))}</section>`
  })
  return `<section id="objects"><h2>Objects</h2>${resources.join('')}</section>`
}

export function renderErrors(): string {
  const rows = Object.entries(errorCodes).map(([name, { status, meaning, example }]) => [
    String(status),
    `<span id="error-${name}">${code(name)}</span>`,
    `${inline(meaning)} <span class="example">${escapeHtml(example)}</span>`,
  ])
  return `<section id="errors"><h2>Errors</h2>
${prose('Every failure has the same body, an `Error`. Decide by `code`; show or log `message`; report `request_id`.')}
${table(['Status', 'Code', 'Meaning'], rows)}</section>`
}

export function renderLimits(document: OpenApiDocument): string {
  const rows = Object.entries(document['x-limits']).map(([name, { value, description, example }]) => [
    escapeHtml(words(name)),
    value.toLocaleString('en'),
    `${inline(description)} <span class="example">${escapeHtml(example)}</span>`,
  ])
  return `<section id="limits"><h2>Limits</h2>${table(['Limit', 'Value', 'Meaning'], rows)}</section>`
}

export function renderHeaders(document: OpenApiDocument): string {
  const sent = Object.values(document.components.parameters).map(({ name, description, example }) => [
    code(name),
    'request',
    `${inline(description)} <span class="example">${code(example)}</span>`,
  ])
  const received = Object.entries(document.components.headers).map(([name, { description, example }]) => [
    code(name),
    'response',
    `${inline(description)} <span class="example">${code(example)}</span>`,
  ])
  return `<section id="headers"><h2>Headers</h2>${table(['Header', 'In', 'Meaning'], [...sent, ...received])}</section>`
}

export function renderNotifications(document: OpenApiDocument): string {
  const notifications = Object.entries(document.webhooks).map(([topic, { post }]) => {
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
    return `<section class="endpoint" id="${slug(topic)}"><h3>${escapeHtml(post.summary)}</h3>
<p class="route"><span class="method post">POST</span> to the <code>url</code> of a subscription</p>
${prose(post.description)}${table(['Header', 'Meaning'], rows)}${json(post.requestBody?.content['application/json'].example)}
${prose(post.responses['2XX'] && 'description' in post.responses['2XX'] ? `**2xx** ${post.responses['2XX'].description}` : '')}</section>`
  })
  return `<section id="notifications"><h2>Notifications</h2>${notifications.join('')}</section>`
}
