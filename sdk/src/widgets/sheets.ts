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
  const values: Record<string, string | undefined> = {}
  const set: SetVariable = (name, value) => {
    if (values[name] === value) return
    values[name] = value
    // As a whole: Safari does not look again at a rule whose style is changed. Stronger than the page's rules about the host.
    const all = Object.entries(values).map(([one, text]) => text && `${one}:${text}!important`)
    own.replaceSync(`:host{${all.join(';')}}`)
  }
  return { sheet: own, set }
}
