import { normal } from './locator.ts'

/** Which elements have a role without saying so. Those that say so are found by their attribute. */
export const implicit: Record<string, string> = {
  button: 'button,input[type=button],input[type=submit],input[type=reset],input[type=image],summary',
  link: 'a[href],area[href]',
  textbox: 'input:not([type]),input[type=text],input[type=email],input[type=tel],input[type=url],textarea',
  searchbox: 'input[type=search]',
  checkbox: 'input[type=checkbox]',
  radio: 'input[type=radio]',
  combobox: 'select:not([multiple]):not([size])',
  listbox: 'select[multiple],select[size]',
  option: 'option',
  spinbutton: 'input[type=number]',
  slider: 'input[type=range]',
  heading: 'h1,h2,h3,h4,h5,h6',
  img: 'img[alt]:not([alt=""])',
  list: 'ul,ol,menu',
  listitem: 'li',
  navigation: 'nav',
  main: 'main',
  banner: 'header',
  contentinfo: 'footer',
  complementary: 'aside',
  form: 'form',
  table: 'table',
  row: 'tr',
  cell: 'td',
  columnheader: 'th',
  dialog: 'dialog',
  article: 'article',
  region: 'section[aria-label],section[aria-labelledby]',
  progressbar: 'progress',
  separator: 'hr',
  paragraph: 'p',
}

export function roleSelector(role: string): string {
  const said = `[role="${role}"]`
  const own = Object.hasOwn(implicit, role) && implicit[role]
  return own ? `${said},:is(${own}):not([role])` : said
}

/** What the `label` elements say, by what they label. Asked for its labels, each element would search the page. */
export function labelsIn(root: ParentNode): ReadonlyMap<Element | null, string> {
  const labels = new Map<Element | null, string>()
  for (const label of root.querySelectorAll('label'))
    labels.set(label.control, `${labels.get(label.control) ?? ''} ${label.textContent}`)
  return labels
}

/** The accessible name, in the short form of the rules: labels that are referred to, own label, label elements, text. */
export function nameOf(element: Element, labels = labelsIn(element.getRootNode() as Document | ShadowRoot)): string {
  const referred = referredText(element)
  if (referred) return referred
  const label = element.getAttribute('aria-label')
  if (label?.trim()) return normal(label)
  const said = labels.get(element)
  if (said !== undefined) return normal(said)
  const own = element.getAttribute('alt') ?? buttonValue(element) ?? textOf(element)
  return normal(own) || normal(element.getAttribute('title') ?? element.getAttribute('placeholder') ?? '')
}

function referredText(element: Element): string {
  const ids = element.getAttribute('aria-labelledby')
  if (!ids) return ''
  const root = element.getRootNode() as Document | ShadowRoot
  return normal(
    ids
      .split(/\s+/)
      .map((id) => (id && root.getElementById?.(id)?.textContent) || '')
      .join(' '),
  )
}

function buttonValue(element: Element): string | null {
  const isButton = element instanceof HTMLInputElement && ['button', 'submit', 'reset'].includes(element.type)
  return isButton ? element.value : null
}

/** With the alternative texts of pictures, which name buttons that have nothing else. */
function textOf(element: Element): string {
  if (element.childElementCount === 0) return (element.textContent ?? '').slice(0, 1000)
  const pictures = [...element.querySelectorAll('img[alt],svg[aria-label]')].slice(0, 20)
  const words = pictures.map((one) => one.getAttribute('alt') ?? one.getAttribute('aria-label') ?? '')
  return `${(element.textContent ?? '').slice(0, 1000)} ${words.join(' ')}`
}
