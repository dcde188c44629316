import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../http/escape-html.ts'
import { slug } from './html.ts'

/** A heading of a page, for the list of its contents. */
export interface Heading {
  level: number
  id: string
  text: string
}

export interface Rendered {
  html: string
  headings: Heading[]
}

/** An anchor in a text, `<a id="…"></a>`: the only HTML in our documents that is not shown as text. */
const ANCHOR = /^(<a id="[\w-]+">|<\/a>)$/

/** Turns the Markdown of our documents into HTML. */
export function renderMarkdown(markdown: string, resolveLink: (href: string) => string | undefined): Rendered {
  const headings: Heading[] = []
  const used = new Set<string>()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = unique(slug(text).replace(/^-+|-+$/g, ''), used)
        headings.push({ level: depth, id, text: text.replace(/[`*_]/g, '') })
        return heading(depth, id, this.parser.parseInline(tokens))
      },
      code: ({ text, lang }: Tokens.Code) => codeBlock(text, (lang ?? '').split(' ')[0] as string),
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens)
        const target = resolveLink(href)
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`
      },
      table(token: Tokens.Table) {
        const text = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
        const head = token.header.map((cell) => `<th scope="col">${text(cell)}</th>`).join('')
        const rows = token.rows.map(
          (row) => `<tr>${row.map((cell, at) => tableCell(text(cell), token, at)).join('')}</tr>`,
        )
        const kind = isListOfNames(token) ? 'table fields' : 'table'
        return `<div class="${kind}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (ANCHOR.test(text) ? text : escapeHtml(text)),
      image: ({ text }: Tokens.Image) => escapeHtml(text),
    },
  })
  return { html: marked.parse(markdown, { async: false }), headings }
}

/** Tables of settings, metrics and the like. On a narrow screen each row becomes a block below its name. */
function isListOfNames({ rows }: Tokens.Table): boolean {
  return rows.every(([first]) => first?.tokens[0]?.type === 'codespan')
}

/** In tables of three or more columns a cell has its heading as a label, for screens that hide the head. */
function tableCell(inner: string, table: Tokens.Table, at: number): string {
  const label = at > 0 && table.header.length > 2 ? ` data-label="${escapeHtml(table.header[at]?.text ?? '')}"` : ''
  return `<td${label}>${inner.replace(/^([≥≤]) /, '$1&nbsp;')}</td>`
}

/** The first heading of a page is its title; the others can be linked to. */
function heading(depth: number, id: string, inner: string): string {
  if (depth === 1) return `<h1>${inner}</h1>`
  return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>`
}

export function codeBlock(text: string, language: string): string {
  const label = language === '' ? '' : ` data-language="${escapeHtml(language)}"`
  return `<div class="code"${label}><pre tabindex="0"><code>${escapeHtml(text.replace(/\n$/, ''))}</code></pre></div>`
}

function unique(wanted: string, used: Set<string>): string {
  let id = wanted
  for (let count = 2; used.has(id); count += 1) id = `${wanted}-${count}`
  used.add(id)
  return id
}

/** The part of a document below one heading, with that heading as its title. */
export function sectionOf(markdown: string, title: string): string {
  const start = markdown.indexOf(`\n## ${title}\n`)
  if (start < 0) throw new Error(`there is no section "${title}"`)
  const rest = markdown.slice(start + 1)
  const end = rest.indexOf('\n## ')
  return (end < 0 ? rest : rest.slice(0, end)).replace(/^## /, '# ')
}
