import { element } from './pages.js'

/** What Usher knows of the user and decides, as the server of the demo tells it. */

export function showView({ attributes, events, content, receipts }) {
  fill('#receipts', receipts.map(receiptLine), 'Nothing is published in the environment Demo yet.')
  fill('#attributes', attributeLines(attributes ?? {}), '')
  fill('#events', events.map(eventLine), 'None yet.')
  document.querySelector('#receipts').dataset.shown = content.join(' ')
}

function fill(selector, lines, nothing) {
  const place = document.querySelector(selector)
  const old = place.textContent
  const made = lines.length > 0 ? lines.flat() : [element('li', { class: 'note' }, nothing)]
  // Left as it is while nothing has changed, so that a reader keeps the place and an open list of gates stays open.
  if (made.map(({ textContent }) => textContent).join('') !== old) place.replaceChildren(...made)
}

function receiptLine({ key, sentence, gates }) {
  const line = element('li', {})
  const details = element('details', {})
  details.append(element('summary', {}, key), ...gates.map(gateLine))
  line.append(details, element('div', {}, sentence))
  return line
}

function gateLine({ gate, open, code }) {
  return element('div', { class: 'gate' }, `${open ? '✓' : '✗'} ${gate}${code ? ` (${code})` : ''}`)
}

function attributeLines(attributes) {
  return Object.entries(attributes).map(([name, value]) => [
    element('dt', {}, name),
    element('dd', {}, JSON.stringify(value)),
  ])
}

function eventLine({ name, time }) {
  const line = element('li', {}, `${name} `)
  line.append(element('time', { datetime: time }, time.slice(11, 19)))
  return line
}
