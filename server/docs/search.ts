import { addressOf, isInFolder } from './contents.ts'
import type { Content } from './layout.ts'

/** An entry of the search index: the part of a page below one heading. */
export interface Section {
  id: string
  page: string
  title: string
  address: string
  text: string
}

/**
 * Of decisions, measurements and the reference only the beginning of a longer section is indexed, so that the index stays small.
 * Of other pages all is: a table of settings or codes is one section, and its last row is looked for as its first. The whole
 * index grew by 6 % when they were no longer cut.
 */
const MOST_CHARACTERS = 1_500
const isCut = (slug: string) => isInFolder(slug) || /^(reference|benchmarks)\b/.test(slug)

export function sectionsOf({ slug, title, html }: Content): Section[] {
  const parts = html.split(/(?=<h[23] id=")/)
  const most = isCut(slug) ? MOST_CHARACTERS : Infinity
  return parts.flatMap((part) => {
    const [, id, heading] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/s.exec(part) ?? []
    const text = textOf(part.replace(/^<h[123].*?<\/h[123]>/s, '')).slice(0, most)
    if (text === '' && id === undefined) return []
    const address = addressOf(slug) + (id === undefined ? '' : `#${id}`)
    return [{ id: address, page: title, title: heading === undefined ? title : textOf(heading), address, text }]
  })
}

function textOf(html: string): string {
  return html
    .replaceAll('<wbr>', '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()
}
