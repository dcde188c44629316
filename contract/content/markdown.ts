import { addressProblem } from './addresses.ts'
import { type ParsedInline, parseInline } from './inline.ts'
import { remembered } from './remembered.ts'
import type { Inline, Paragraph } from './rendered.ts'
import {
  fillAddress,
  fillParts,
  type Template,
  type TemplateValues,
  templateParts,
  templateProblems,
  templateValue,
} from './templates.ts'

/** The Markdown of documents: bold, italic, code, links and lists, parsed into a tree. It never becomes HTML. */
type ParsedParagraph = { paragraph: ParsedInline[] } | { list: ParsedInline[][]; ordered: boolean }

const ITEM = /^ {0,3}(?:[-*+]|(\d{1,3})[.)]) +(?=\S)/

/** Texts with a blank line between them are paragraphs. Lines that begin with `- ` or `1. ` are a list. */
export function parseMarkdown(text: string): ParsedParagraph[] {
  const found: ParsedParagraph[] = []
  let lines: string[] = []
  let list: Extract<ParsedParagraph, { list: unknown }> | undefined
  const endParagraph = () => {
    if (lines.length > 0) found.push({ paragraph: parseInline(lines.join(' ')) })
    lines = []
  }
  for (const line of text.split(/\r?\n/)) {
    const item = ITEM.exec(line)
    if (item) {
      endParagraph()
      const ordered = item[1] !== undefined
      if (list?.ordered !== ordered) {
        list = { list: [], ordered }
        found.push(list)
      }
      list.list.push(parseInline(line.slice(item[0].length)))
      continue
    }
    list = undefined
    if (line.trim() === '') endParagraph()
    else lines.push(line.trim())
  }
  endParagraph()
  return found
}

/** What is wrong with the templates and the links of a text. */
export function markdownProblems(text: string): string[] {
  const wrong = templateProblems(text)
  if (wrong.length > 0) return wrong
  const lines = parseMarkdown(text).flatMap((one) => ('list' in one ? one.list : [one.paragraph]))
  return lines.flatMap((line) => linkProblems(line))
}

function linkProblems(parts: readonly ParsedInline[]): string[] {
  return parts.flatMap((part) => {
    if ('bold' in part) return linkProblems(part.bold)
    if ('italic' in part) return linkProblems(part.italic)
    if (!('link' in part)) return []
    const problem = addressProblem(part.address)
    const own = problem === undefined ? [] : [`the link to \`${part.address.slice(0, 60)}\`: ${problem}`]
    return [...own, ...linkProblems(part.link)]
  })
}

/** A version does not change, and its texts are handed out with each claim: to read them again took most of that time. */
const knownMarkdown = remembered(parseMarkdown)
const knownLine = remembered(parseInline)
const knownPlain = remembered(templateParts)

/** The tree with the values of its templates. */
export function fillMarkdown(text: string, values: TemplateValues): Paragraph[] {
  return knownMarkdown(text).map((one) =>
    'list' in one
      ? { list: one.list.map((item) => fillInline(item, values)), ordered: one.ordered }
      : { paragraph: fillInline(one.paragraph, values) },
  )
}

/** One line: a heading, a question. */
export function fillLine(text: string, values: TemplateValues): Inline[] {
  return fillInline(knownLine(text), values)
}

function fillInline(parts: readonly ParsedInline[], values: TemplateValues): Inline[] {
  return parts.map((part): Inline => {
    if ('template' in part) return fillTemplate(part.template, values)
    if ('bold' in part) return { bold: fillInline(part.bold, values) }
    if ('italic' in part) return { italic: fillInline(part.italic, values) }
    if ('code' in part) return { code: fillParts(part.code, values) }
    if ('link' in part) return fillLink(part, values)
    return part
  })
}

/** A link that validation would refuse is shown as its text. */
function fillLink({ link, address }: Extract<ParsedInline, { link: unknown }>, values: TemplateValues): Inline {
  const parts = fillInline(link, values)
  return addressProblem(address) === undefined ? { link: parts, href: fillAddress(address, values) } : { bold: parts }
}

/** Text and templates without any markup: the label of a button. */
export function fillPlain(text: string, values: TemplateValues): Inline[] {
  return knownPlain(text).map((part) => {
    if (typeof part === 'string') return { text: part }
    return fillTemplate(part, values)
  })
}

/** A fallback is a text of the author. */
function fillTemplate(template: Template, values: TemplateValues): Inline {
  const value = templateValue(template, values)
  return value === undefined ? { text: template.fallback } : { value }
}
