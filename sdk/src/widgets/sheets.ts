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

/** Sets a variable of a widget, or removes it. */
export type SetVariable = (name: string, value: string | undefined) => void

/** A rule of one widget, for what changes while it is shown: its place. No element gets a style attribute. */
export function ownRule(): { sheet: CSSStyleSheet; set: SetVariable } {
  const own = new CSSStyleSheet()
  own.replaceSync(':host{}')
  const { style } = own.cssRules[0] as CSSStyleRule
  // Stronger than what a rule of the page says about the host element.
  return { sheet: own, set: (name, value) => style.setProperty(name, value ?? '', 'important') }
}
