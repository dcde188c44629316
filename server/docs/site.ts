import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import type { OpenApiDocument } from '../openapi/types.ts'
import { VERSION } from '../version.ts'
import {
  addressOf,
  type Chapter,
  CONCEPTS,
  FOLDERS,
  GUIDES,
  isInFolder,
  LOOK_UP,
  type Page,
  START,
} from './contents.ts'
import { type Content, renderLayout, type Shell } from './layout.ts'
import { errorsPage, limitsPage } from './look-up.ts'
import { renderMarkdown, sectionOf } from './markdown.ts'
import { referenceChapter, referencePages } from './reference.ts'
import { type Section, sectionsOf } from './search.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8')

/** The documents. Every page is rendered at its first request and cached. */
export class Site {
  readonly #document: OpenApiDocument
  readonly #shell: Shell
  readonly #written: Map<string, Page>
  readonly #made = new Map<string, Content>()
  readonly #rendered = new Map<string, string>()

  constructor(document: OpenApiDocument, asset: Shell['asset']) {
    this.#document = document
    const chapters: Chapter[] = [START, CONCEPTS, GUIDES, referenceChapter(document), LOOK_UP]
    this.#shell = { chapters, version: VERSION, asset }
    const pages = [...chapters.flatMap((chapter) => chapter.pages), ...folderPages()]
    this.#written = new Map(pages.filter(({ file }) => file).map((page) => [page.slug, page]))
  }

  /** The page at a path below /docs, or undefined. */
  page(slug: string): string | undefined {
    const known = this.#rendered.get(slug)
    if (known !== undefined) return known
    const content = this.content(slug)
    if (!content) return undefined
    const html = renderLayout(this.#shell, content)
    this.#rendered.set(slug, html)
    return html
  }

  content(slug: string): Content | undefined {
    if (!this.#made.has(slug)) for (const content of this.#make(slug)) this.#made.set(content.slug, content)
    return this.#made.get(slug)
  }

  slugs(): string[] {
    return [
      ...this.#shell.chapters.flatMap(({ pages }) => pages.map(({ slug }) => slug)),
      ...folderPages().map(({ slug }) => slug),
    ]
  }

  /** Every section of every page, for the search in the browser. */
  sections(): Section[] {
    return this.slugs().flatMap((slug) => {
      const content = this.content(slug)
      return content ? sectionsOf(content) : []
    })
  }

  #make(slug: string): Content[] {
    const page = this.#written.get(slug)
    if (page) return [this.#write(page)]
    if (slug === 'errors') return [errorsPage()]
    if (slug === 'limits') return [limitsPage()]
    if (slug !== 'reference' && !slug.startsWith('reference/')) return []
    return referencePages(this.#document, JSON.parse(read('docs/examples.json')) as Record<string, unknown>)
  }

  #write({ slug, title, file = '', section }: Page): Content {
    const text = read(file)
    const markdown = section === undefined ? text : sectionOf(text, section)
    const { html, headings } = renderMarkdown(markdown, (href) => this.#resolve(file, href))
    // A decision or a measurement is called what its first heading says.
    const name = isInFolder(slug) ? headings[0]?.text : undefined
    return { slug, title: name ?? title, html, headings }
  }

  /** A link to a file becomes a link to its page. A link to a file without a page becomes plain text. */
  #resolve(from: string, href: string): string | undefined {
    if (/^(https?:|#|\/)/.test(href)) return href
    const [path = '', hash] = href.split('#', 2)
    const file = normalize(join(dirname(from), path))
    const suffix = hash === undefined ? '' : `#${hash}`
    if (file === 'docs/openapi.json') return '/openapi.json'
    const pages = [...this.#written.values()].filter((page) => page.file === file)
    const page =
      pages.find(({ section }) => section === undefined) ?? pages.find((one) => suffix === '' || anchor(one) === suffix)
    return page ? addressOf(page.slug) + (page.section === undefined ? suffix : '') : undefined
  }
}

function anchor({ section = '' }: Page): string {
  return `#${section.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
}

/** Pages that are in no chapter: their folder has an index, which is. */
function folderPages(): Page[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(fileURLToPath(new URL(`docs/${folder}/`, ROOT)))
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name) => {
        const title = name.replace(/\.md$/, '')
        return { slug: `${folder}/${title}`, title, file: `docs/${folder}/${name}` }
      }),
  )
}
