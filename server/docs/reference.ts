import { escapeHtml } from '../http/escape-html.ts'
import type { OpenApiDocument } from '../openapi/types.ts'
import type { Chapter } from './contents.ts'
import { prose, slug } from './html.ts'
import type { Content } from './layout.ts'
import type { Heading } from './markdown.ts'
import { type DocumentedOperation, renderOperation, renderSamples } from './operation.ts'
import { preparation } from './samples.ts'
import { renderAttributes, renderHeaders, renderNotifications, renderResources } from './sections.ts'

/** The pages of the reference: one for each tag of the document, and the shared ones. */
export function referenceChapter(document: OpenApiDocument): Chapter {
  return {
    title: 'Reference',
    pages: [
      { slug: 'reference', title: 'Overview' },
      ...document.tags.map(({ name }) => ({ slug: `reference/${slug(name)}`, title: name })),
      { slug: 'reference/objects', title: 'Objects' },
      { slug: 'reference/notifications', title: 'Notifications' },
    ],
  }
}

export function referencePages(document: OpenApiDocument, recorded: Record<string, unknown>): Content[] {
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): DocumentedOperation => ({ method, path, operation })),
  )
  const byTag = Map.groupBy(endpoints, ({ operation }) => operation.tags[0] as string)
  return [
    overview(document),
    ...document.tags.map(({ name, description }) =>
      tagPage(document, name, description, byTag.get(name) ?? [], recorded),
    ),
    objects(document),
    notifications(document),
  ]
}

function overview(document: OpenApiDocument): Content {
  const html = `<h1>Reference</h1><div class="prose">${prose(document.info.description)}</div>
<p>Programs read the same as an OpenAPI 3.1 document: <a href="/openapi.json">openapi.json</a>. Generators of clients take its address.</p>
<h2 id="preparation"><a class="anchor" href="#preparation">Preparation</a></h2>
<p>The samples of the reference are to be pasted after this. The key is the one that the first start printed, or one from <code>npx usher keys create</code>.</p>
${renderSamples(preparation, 'preparation')}
${renderAttributes(document)}${renderHeaders(document)}`
  const headings = [
    heading('preparation', 'Preparation'),
    heading('attributes', 'Attributes'),
    heading('headers', 'Headers'),
  ]
  return { slug: 'reference', title: 'Reference', html, headings }
}

function tagPage(
  document: OpenApiDocument,
  name: string,
  description: string,
  endpoints: readonly DocumentedOperation[],
  recorded: Record<string, unknown>,
): Content {
  return {
    slug: `reference/${slug(name)}`,
    title: `${name}: reference`,
    html: `<h1>${escapeHtml(name)}</h1>${prose(description)}${endpoints.map((endpoint) => renderOperation(document, endpoint, recorded)).join('')}`,
    headings: endpoints.map(({ operation }) => heading(operation.operationId, operation.summary)),
  }
}

function objects(document: OpenApiDocument): Content {
  // Request bodies are shown with their operations.
  const bodies = new Set(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ requestBody }) => requestBody?.content['application/json'].schema.$ref?.split('/').at(-1) ?? []),
  )
  const names = Object.keys(document.components.schemas).filter(
    (name) => !bodies.has(name) && name !== 'Acknowledgement',
  )
  return {
    slug: 'reference/objects',
    title: 'Objects',
    html: `<h1>Objects</h1>${renderResources(document, names)}`,
    headings: names.map((name) => heading(name, name)),
  }
}

function notifications(document: OpenApiDocument): Content {
  return {
    slug: 'reference/notifications',
    title: 'Notifications',
    html: `<h1>Notifications</h1>${renderNotifications(document)}`,
    headings: Object.entries(document.webhooks).map(([topic, { post }]) => heading(slug(topic), post.summary)),
  }
}

function heading(id: string, text: string): Heading {
  return { level: 2, id, text }
}
