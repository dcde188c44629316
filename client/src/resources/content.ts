import type { ContentDocument, ThemeDocument } from '../documents.ts'
import type { Content, ContentPush, ContentVersion, Deleted, Operations, PublishPlan, Theme } from '../generated.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type { ListQuery } from '../requests.ts'
import type { Transport } from '../transport.ts'

export type ListContent = ListQuery<Operations['listContent']['query'], 'content'>
export type ListContentVersions = ListQuery<Operations['listContentVersions']['query'], 'versions'>
export type ListThemes = ListQuery<Operations['listThemes']['query'], 'themes'>
/** The document, and the revision of the draft that it was made from: 409 when the draft is another one. */
export type SaveContent = ContentDocument & Pick<Operations['saveContent']['body'], 'expected_draft'>
export type PublishContent = Omit<Operations['publishContent']['body'], 'dry_run' | 'expand'>
export type PushContent = Operations['pushContent']['body']
export type SaveTheme = ThemeDocument
type Expand = { expand?: string | readonly string[] | undefined }

/** Flows, checklists, banners and launchers, and their versions. */
export class ContentResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Stores a document as the draft of the content with its key. Users see it when it is published. */
  save(document: SaveContent, { expand, ...options }: Expand & RequestOptions = {}): Promise<Content> {
    return this.#transport.request({ method: 'POST', path: '/content', query: { expand }, body: document }, options)
  }

  retrieve(id: string, query: Expand = {}, options: RequestOptions = {}): Promise<Content> {
    return this.#transport.request({ method: 'GET', path: pathOf(id), query }, options)
  }

  list(query: ListContent & Expand = {}, options: RequestOptions = {}): List<Content> {
    return new List(this.#transport, '/content', query, options)
  }

  /** Lets users see the draft, or an older version. */
  publish(
    id: string,
    how: PublishContent = {},
    { expand, ...options }: Expand & RequestOptions = {},
  ): Promise<Content> {
    const path = `${pathOf(id)}/publish`
    return this.#transport.request({ method: 'POST', path, query: { expand }, body: how }, options)
  }

  /** What publishing would do, without doing it. */
  plan(id: string, how: PublishContent = {}, options: RequestOptions = {}): Promise<PublishPlan> {
    const body = { ...how, dry_run: true }
    return this.#transport.request({ method: 'POST', path: `${pathOf(id)}/publish`, body }, options)
  }

  /** Saves many documents, and publishes them if wanted: all of them or none. */
  push(what: PushContent, options: RequestOptions = {}): Promise<ContentPush> {
    return this.#transport.request({ method: 'POST', path: '/content/push', body: what }, options)
  }

  unpublish(id: string, { expand, ...options }: Expand & RequestOptions = {}): Promise<Content> {
    const path = `${pathOf(id)}/unpublish`
    return this.#transport.request({ method: 'POST', path, query: { expand }, body: {} }, options)
  }

  delete(id: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.request({ method: 'DELETE', path: pathOf(id) }, options)
  }

  versions(query: ListContentVersions & Expand, options: RequestOptions = {}): List<ContentVersion> {
    return new List(this.#transport, '/content_versions', query, options)
  }

  version(id: string, query: Expand = {}, options: RequestOptions = {}): Promise<ContentVersion> {
    return this.#transport.request(
      { method: 'GET', path: `/content_versions/${encodeURIComponent(id)}`, query },
      options,
    )
  }
}

/** How widgets look. */
export class Themes {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Counts at once for all content that names it. */
  save(theme: SaveTheme, options: RequestOptions = {}): Promise<Theme> {
    return this.#transport.request({ method: 'POST', path: '/themes', body: theme }, options)
  }

  list(query: ListThemes = {}, options: RequestOptions = {}): List<Theme> {
    return new List(this.#transport, '/themes', query, options)
  }
}

function pathOf(id: string): string {
  return `/content/${encodeURIComponent(id)}`
}
