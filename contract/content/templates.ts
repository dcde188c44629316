import { ATTRIBUTE_NAME_PATTERN } from '../names.ts'

/** `{{ user.name | there }}` in texts and addresses. The server fills them when content is handed out. */
export interface Template {
  of: 'user' | 'group'
  name: string
  /** Empty unless given. */
  fallback: string
}

/** The value of an attribute as text; undefined when it is missing. */
export type TemplateValues = (of: Template['of'], name: string) => string | number | boolean | undefined

export type TemplatePart = string | Template

const TEMPLATE_RULE = 'write {{ user.name | fallback }} or {{ group.name | fallback }}, with the name of an attribute'

const attributeName = new RegExp(ATTRIBUTE_NAME_PATTERN)

/** The texts and templates of a text, in order. What is no template stays text. */
export function templateParts(text: string): TemplatePart[] {
  return eachPart(text, () => {})
}

/** What is wrong with each pair of braces that is not a template. */
export function templateProblems(text: string): string[] {
  const problems: string[] = []
  eachPart(text, (wrong) => problems.push(`\`${wrong.slice(0, 60)}\` is not a template: ${TEMPLATE_RULE}`))
  return problems
}

function eachPart(text: string, onWrong: (wrong: string) => void): TemplatePart[] {
  const parts: TemplatePart[] = []
  let from = 0
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', from)) {
    const close = text.indexOf('}}', open)
    if (close < 0) {
      onWrong(text.slice(open))
      break
    }
    const template = parseTemplate(text.slice(open + 2, close))
    if (!template) onWrong(text.slice(open, close + 2))
    if (open > from && template) parts.push(text.slice(from, open))
    parts.push(template ?? text.slice(from, close + 2))
    from = close + 2
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

function parseTemplate(inside: string): Template | undefined {
  const bar = inside.indexOf('|')
  const path = (bar < 0 ? inside : inside.slice(0, bar)).trim()
  const dot = path.indexOf('.')
  const of = path.slice(0, Math.max(dot, 0))
  const name = path.slice(dot + 1)
  if ((of !== 'user' && of !== 'group') || !attributeName.test(name)) return undefined
  return { of, name, fallback: bar < 0 ? '' : inside.slice(bar + 1).trim() }
}

/** The characters of a value that are shown. */
export const TEMPLATE_VALUE_CHARACTERS = 200

/** The value, cut to its first 200 characters; undefined when the fallback counts. */
export function templateValue({ of, name }: Template, values: TemplateValues): string | undefined {
  const value = values(of, name)
  if (value === undefined || value === '') return undefined
  const text = String(value)
  return text.length <= TEMPLATE_VALUE_CHARACTERS
    ? text
    : [...text.slice(0, 2 * TEMPLATE_VALUE_CHARACTERS)].slice(0, TEMPLATE_VALUE_CHARACTERS).join('')
}

/** The text with its values, for what is not shown as a tree: a label for assistive technology. */
export function fillText(text: string, values: TemplateValues): string {
  return fillParts(templateParts(text), values)
}

export function fillParts(parts: readonly TemplatePart[], values: TemplateValues): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : (templateValue(part, values) ?? part.fallback)))
    .join('')
}

/**
 * Values are percent-encoded. One that would be a step up in the path counts as missing. Where the first part of a path is
 * empty, two slashes would make a host of the second.
 */
export function fillAddress(address: string, values: TemplateValues): string {
  return templateParts(address)
    .map((part) => (typeof part === 'string' ? part : encodeURIComponent(wellFormed(pathPart(part, values)))))
    .join('')
    .replace(/^\/{2,}/, '/')
}

function pathPart(template: Template, values: TemplateValues): string {
  return [templateValue(template, values), template.fallback].find(isPathPart) ?? ''
}

const isPathPart = (text: string | undefined) => text !== undefined && text !== '.' && text !== '..'

/** `encodeURIComponent` throws for a lone surrogate, which a cut can leave. */
const wellFormed = (text: string) => text.replace(/[\ud800-\udfff]/gu, '')
