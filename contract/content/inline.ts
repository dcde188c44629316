import { type Template, type TemplatePart, templateParts } from './templates.ts'

/** A line of Markdown as a tree, with its templates not yet filled. */
export type ParsedInline =
  | { text: string }
  | { template: Template }
  | { bold: ParsedInline[] }
  | { italic: ParsedInline[] }
  | { code: TemplatePart[] }
  | { link: ParsedInline[]; address: string }

type Kind = 'bold' | 'star' | 'underscore' | 'link'

interface Frame {
  kind: Kind | null
  marker: string
  parts: ParsedInline[]
}

/** Stands for a template while the text is read: no text that is stored has this character. */
const HOLE = '\u0000'

/**
 * Reads bold, italic, code and links in one pass. At most one frame of each kind is open, so what an unclosed marker leaves
 * is moved at most four times, and the time is linear in the length of the text.
 */
export function parseInline(text: string): ParsedInline[] {
  return new InlineParser(text).parse()
}

class InlineParser {
  readonly #text: string
  readonly #sources: string[] = []
  readonly #templates: Template[] = []
  readonly #frames: [Frame, ...Frame[]] = [{ kind: null, marker: '', parts: [] }]
  #at = 0
  #plain = ''
  #template = 0

  constructor(text: string) {
    this.#text = templateParts(text.replaceAll(HOLE, ''))
      .map((part) => (typeof part === 'string' ? part : this.#hole(part)))
      .join('')
  }

  #hole(template: Template): string {
    this.#templates.push(template)
    this.#sources.push(`{{ ${template.of}.${template.name} | ${template.fallback} }}`)
    return HOLE
  }

  parse(): ParsedInline[] {
    while (this.#at < this.#text.length) this.#step(this.#text[this.#at] as string)
    this.#flush()
    while (this.#frames.length > 1) this.#flatten()
    return this.#frames[0].parts
  }

  #step(character: string): void {
    if (character === HOLE) this.#add({ template: this.#templates[this.#template++] as Template }, 1)
    else if (character === '\\' && /[!-/:-@[-`{-~]/.test(this.#text[this.#at + 1] ?? '')) {
      this.#plain += this.#text[this.#at + 1]
      this.#at += 2
    } else if (character === '`') this.#code()
    else if (character === '*') this.#star()
    else if (character === '_')
      this.#mark('underscore', '_', !isWord(this.#text[this.#at - 1]), !isWord(this.#text[this.#at + 1]))
    else if (character === '[') this.#openLink()
    else if (character === ']' && this.#isOpen('link')) this.#closeLink()
    else this.#literal(character)
  }

  #literal(text: string): void {
    this.#plain += text
    this.#at += text.length
  }

  #code(): void {
    const end = this.#text.indexOf('`', this.#at + 1)
    if (end < 0) this.#literal('`')
    else this.#add({ code: this.#codeParts(this.#text.slice(this.#at + 1, end)) }, end + 1 - this.#at)
  }

  #codeParts(code: string): TemplatePart[] {
    return code.split(HOLE).flatMap((piece, index) => {
      const text = piece === '' ? [] : [piece]
      return index === 0 ? text : [this.#templates[this.#template++] as Template, ...text]
    })
  }

  #star(): void {
    const run = /^\*{1,3}/.exec(this.#text.slice(this.#at, this.#at + 3))?.[0].length ?? 1
    const isBold = run >= 2 && !(run === 3 && this.#frames.at(-1)?.kind === 'star')
    const marker = isBold ? '**' : '*'
    const closes = !isSpace(this.#text[this.#at - 1])
    this.#mark(isBold ? 'bold' : 'star', marker, true, closes)
  }

  /** Closes the frame of this kind, or opens one where a text follows. */
  #mark(kind: Kind, marker: string, mayOpen: boolean, mayClose: boolean): void {
    const follows = !isSpace(this.#text[this.#at + marker.length])
    const isOpen = this.#isOpen(kind)
    if (isOpen && mayClose) {
      const parts = this.#close(kind)
      this.#add(kind === 'bold' ? { bold: parts } : { italic: parts }, marker.length)
    } else if (!isOpen && mayOpen && follows) this.#open(kind, marker)
    else this.#literal(marker)
  }

  #openLink(): void {
    if (this.#isOpen('link')) {
      this.#flush()
      while (this.#isOpen('link')) this.#flatten()
    }
    this.#open('link', '[')
  }

  /** An address has no spaces and no parentheses. */
  #closeLink(): void {
    const address = /^\]\(([^\s()]{1,2048})\)/.exec(this.#text.slice(this.#at, this.#at + 2060))?.[1]
    if (address === undefined) {
      this.#literal(']')
      return
    }
    this.#add({ link: this.#close('link'), address: this.#withTemplates(address) }, address.length + 3)
  }

  #withTemplates(address: string): string {
    return address.replaceAll(HOLE, () => this.#sources[this.#template++] as string)
  }

  #isOpen(kind: Kind): boolean {
    return this.#frames.some((frame) => frame.kind === kind)
  }

  #open(kind: Kind, marker: string): void {
    this.#flush()
    this.#frames.push({ kind, marker, parts: [] })
    this.#at += marker.length
  }

  #close(kind: Kind): ParsedInline[] {
    this.#flush()
    while (this.#frames.at(-1)?.kind !== kind) this.#flatten()
    return (this.#frames.pop() as Frame).parts
  }

  /** The innermost frame was not closed: its marker is text. */
  #flatten(): void {
    const { marker, parts } = this.#frames.pop() as Frame
    const outer = (this.#frames.at(-1) as Frame).parts
    outer.push({ text: marker })
    for (const part of parts) outer.push(part)
  }

  #add(part: ParsedInline, length: number): void {
    this.#flush()
    ;(this.#frames.at(-1) as Frame).parts.push(part)
    this.#at += length
  }

  #flush(): void {
    if (this.#plain === '') return
    ;(this.#frames.at(-1) as Frame).parts.push({ text: this.#plain })
    this.#plain = ''
  }
}

const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character)
const isWord = (character: string | undefined) => character !== undefined && /[0-9A-Za-z\u0080-\uffff]/.test(character)
