import type { OpenApiDocument } from '../openapi/types.ts'
import { escapeHtml, prose, slug } from './html.ts'
import { type Endpoint, renderEndpoint } from './operation.ts'
import {
  renderAttributes,
  renderErrors,
  renderHeaders,
  renderLimits,
  renderNotifications,
  renderResources,
} from './sections.ts'
import { style } from './style.ts'

const resourceNames = [
  'User',
  'Group',
  'GroupMembership',
  'Event',
  'AttributeDefinition',
  'EventDefinition',
  'WebhookSubscription',
  'CreatedWebhookSubscription',
  'WebhookNotification',
  'Deleted',
  'Error',
  'UserList',
  'GroupList',
  'EventList',
  'AttributeDefinitionList',
  'EventDefinitionList',
  'WebhookSubscriptionList',
]

const closing = [
  ['objects', 'Objects'],
  ['errors', 'Errors'],
  ['limits', 'Limits'],
  ['headers', 'Headers'],
] as const

/** The API reference: one page, no script, made from the OpenAPI document. */
export function renderPage(document: OpenApiDocument, address: string): string {
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Endpoint => ({ method, path, operation })),
  )
  const byTag = Map.groupBy(endpoints, ({ operation }) => operation.tags[0] as string)
  const chapters = document.tags.map(
    ({ name, description }) => `<section id="${slug(name)}"><h2>${escapeHtml(name)}</h2>${prose(description)}
${(byTag.get(name) ?? []).map((endpoint) => renderEndpoint(document, address, endpoint)).join('')}</section>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} API reference</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><strong>${escapeHtml(document.info.title)}</strong> <span>API reference ${escapeHtml(document.info.version)}</span> <a href="openapi.json">openapi.json</a></header>
<div class="columns">
${navigation(document, byTag)}
<main id="content">
<h1>API reference</h1>
${prose(document.info.description)}
${renderAttributes(document)}
${chapters.join('')}
${renderNotifications(document)}
${renderResources(document, resourceNames)}
${renderErrors()}
${renderLimits(document)}
${renderHeaders(document)}
</main>
</div>
</body>
</html>
`
}

function navigation(document: OpenApiDocument, byTag: Map<string, Endpoint[]>): string {
  const chapters = document.tags.map(({ name }) => {
    const links = (byTag.get(name) ?? []).map(
      ({ operation }) => `<li><a href="#${operation.operationId}">${escapeHtml(operation.summary)}</a></li>`,
    )
    return `<li><a href="#${slug(name)}">${escapeHtml(name)}</a><ul>${links.join('')}</ul></li>`
  })
  const notices = Object.entries(document.webhooks).map(
    ([topic, { post }]) => `<li><a href="#${slug(topic)}">${escapeHtml(post.summary)}</a></li>`,
  )
  const rest = closing.map(([id, title]) => `<li><a href="#${id}">${title}</a></li>`)
  return `<nav aria-label="Contents"><ul>
<li><a href="#attributes">Attributes</a></li>${chapters.join('')}
<li><a href="#notifications">Notifications</a><ul>${notices.join('')}</ul></li>${rest.join('')}
</ul></nav>`
}
