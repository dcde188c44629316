import { addressOf } from './contents.ts'
import type { Content } from './layout.ts'

/** An entry of the search index: the part of a page below one heading. */
export interface Section {
  id: string
  page: string
  title: string
  address: string
  text: string
}

/** Only the beginning of a longer section is indexed, so that the index stays small. */
const MOST_CHARACTERS = 1_500

export function sectionsOf({ slug, title, html }: Content): Section[] {
  const parts = html.split(/(?=<h[23] id=")/)
  return parts.flatMap((part) => {
    const [, id, heading] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/s.exec(part) ?? []
    const text = textOf(part.replace(/^<h[123].*?<\/h[123]>/s, '')).slice(0, MOST_CHARACTERS)
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
