type Child = Node | string | null | undefined | false

/** Makes an element. Texts become text nodes: nothing is ever parsed as HTML, so Trusted Types have nothing to refuse. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | boolean | null | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  setAttributes(made, attributes)
  append(made, children)
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

export function drawing(tag: string, attributes: Record<string, string>, ...children: Node[]): SVGElement {
  const made = document.createElementNS(SVG, tag)
  setAttributes(made, attributes)
  append(made, children)
  return made
}

/** An icon of one path in a box of 16. The words beside it name it. */
export function icon(d: string): SVGElement {
  return drawing('svg', { class: 'i', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, drawing('path', { d }))
}

function setAttributes(target: Element, attributes: Record<string, string | boolean | null | undefined>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue
    target.setAttribute(name, value === true ? '' : value)
  }
}

function append(target: Element, children: readonly Child[]): void {
  for (const child of children) if (child) target.append(child)
}
