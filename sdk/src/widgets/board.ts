import { element } from './element.ts'
import { sheet } from './sheets.ts'

/**
 * A neutral page behind the widgets of the preview. Its second link is what tooltips and launchers point at. It scrolls without
 * a bar, which would take its width from the page that is pictured.
 */
const styles = `
html{scrollbar-width:none}
:root{--page:#fff;--ink:#3f4650;--rule:#e6e8eb;--block:#eef0f2;color-scheme:light}
:root[data-theme=dark]{--page:#16191c;--ink:#c8ced4;--rule:#2a2f34;--block:#23282c;color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--page);color:var(--ink);font:400 14px/20px system-ui,sans-serif;display:flex;flex-direction:column}
.top{height:48px;flex:none;display:flex;align-items:center;gap:12px;padding:0 16px;border-bottom:1px solid var(--rule)}
.board{flex:1;display:grid;grid-template-columns:180px minmax(0,1fr)}
nav{padding:12px;border-inline-end:1px solid var(--rule);display:grid;gap:4px;align-content:start}
nav span{padding:6px 10px;border-radius:6px}
main{padding:20px;display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:16px;align-content:start}
.bl{height:10px;border-radius:5px;background:var(--block);width:120px}
.card{border:1px solid var(--rule);border-radius:8px;padding:14px;display:grid;gap:10px;height:76px}
.card .bl{width:70%}
@media (max-width:600px){.board{grid-template-columns:1fr}nav{border:0;padding-bottom:0}main{grid-template-columns:1fr}}
`

export function drawBoard(): Element {
  document.adoptedStyleSheets = [sheet(styles)]
  const block = () => element('i', { class: 'bl' })
  const target = element('span', { 'data-testid': 'usher-preview-target' }, 'Your element')
  const cards = Array.from({ length: 9 }, () => element('div', { class: 'card' }, block(), block()))
  document.body.replaceChildren(
    element('div', { class: 'top' }, block()),
    element(
      'div',
      { class: 'board' },
      element('nav', {}, element('span', {}, block()), target, element('span', {}, block())),
      element('main', {}, ...cards),
    ),
  )
  return target
}
