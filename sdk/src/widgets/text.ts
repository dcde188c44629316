import type { Inline, Paragraph } from '../../../contract/content/rendered.ts'
import { element } from './element.ts'
import type { WidgetHost } from './host.ts'

/** The values of templates are isolated, so that text of the other direction does not turn what is around it. */
export function inlines(parts: readonly Inline[], host: Pick<WidgetHost, 'link' | 'follow'>): Node[] {
  return parts.map((part): Node => {
    if ('text' in part) return document.createTextNode(part.text)
    if ('value' in part) return element('bdi', {}, part.value)
    if ('code' in part) return element('code', {}, part.code)
    if ('bold' in part) return element('strong', {}, ...inlines(part.bold, host))
    if ('italic' in part) return element('em', {}, ...inlines(part.italic, host))
    return link(part, host)
  })
}

function link(part: { link: Inline[]; href: string }, host: Pick<WidgetHost, 'link' | 'follow'>): Node {
  const href = host.link(part.href)
  const text = inlines(part.link, host)
  if (href === null) return element('span', {}, ...text)
  const isOutside = new URL(href).origin !== location.origin
  const made = element('a', { href, rel: 'noopener', target: isOutside ? '_blank' : null }, ...text)
  made.addEventListener('click', (event) => {
    const isPlain = !isOutside && !event.metaKey && !event.ctrlKey && !event.shiftKey
    if (isPlain && host.follow?.(href)) event.preventDefault()
  })
  return made
}

export function paragraphs(parts: readonly Paragraph[], host: Pick<WidgetHost, 'link' | 'follow'>): HTMLElement[] {
  return parts.map((part) =>
    'paragraph' in part
      ? element('p', {}, ...inlines(part.paragraph, host))
      : element(
          part.ordered ? 'ol' : 'ul',
          { class: 'list' },
          ...part.list.map((item) => element('li', {}, ...inlines(item, host))),
        ),
  )
}
