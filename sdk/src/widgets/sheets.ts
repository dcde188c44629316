/** Constructed sheets are allowed by every policy. Each text is parsed once for all widgets of a document. */
const made = new Map<string, CSSStyleSheet>()

export function sheet(text: string): CSSStyleSheet {
  let found = made.get(text)
  if (!found) {
    found = new CSSStyleSheet()
    found.replaceSync(text)
    made.set(text, found)
  }
  return found
}

/** A rule of one widget, for what changes while it is shown: its place. No element gets a style attribute. */
export function ownRule(): { sheet: CSSStyleSheet; style: CSSStyleDeclaration } {
  const own = new CSSStyleSheet()
  own.replaceSync(':host{}')
  return { sheet: own, style: (own.cssRules[0] as CSSStyleRule).style }
}
