import { drawing, element } from '../widgets/element.ts'

/** The parts of the bar. Only what a person does counts: a script of the page could make clicks, too. */
export function barButton(label: string, run: () => void, className = ''): HTMLButtonElement {
  const made = element('button', { class: `btn ${className}`, type: 'button' }, label)
  made.addEventListener('click', (event) => {
    if (event.isTrusted) run()
  })
  return made
}

export function headRow(title: string, hint: string, ...buttons: HTMLElement[]): HTMLElement {
  const words = element('div', { class: 'words' }, element('b', {}, title), element('p', { role: 'status' }, hint))
  return element('div', { class: 'row' }, mark(), words, element('span', { class: 'end' }, ...buttons))
}

function mark(): SVGElement {
  const shape = 'M2.5 3.5h5.2v7.9L12 15.7l4.3-4.3V3.5h5.2v8.6a9.5 9.5 0 0 1-19 0z'
  return drawing(
    'svg',
    { class: 'mark', viewBox: '2 2.4 20 20', 'aria-hidden': 'true' },
    drawing('path', { d: shape }),
    drawing('circle', { cx: '12', cy: '5.9', r: '2.9' }),
  )
}

/** What an element is called in the bar: its test id, its id, its role, or its tag. A field named `id` hides that of its form. */
export function shortName(target: Element): string {
  const named = target.getAttribute('data-usher') ?? target.getAttribute('data-testid') ?? target.getAttribute('id')
  return (named || target.getAttribute('role') || target.localName).slice(0, 40)
}
