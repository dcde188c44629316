/** What a page measures while it loads. */
export interface Load {
  totalMs: number
  /** In which some request to Usher was under way. */
  tripsMs: number
  shift: number
}

/** Runs before the script: notes when a tooltip is there, and every layout shift. */
const WATCH = `
  window.shift = 0
  new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value }).observe({ type: 'layout-shift', buffered: true })
  const watcher = new MutationObserver(() => {
    if (!document.querySelector('[data-usher-widget]')) return
    watcher.disconnect()
    // The frame after it has it on the screen.
    requestAnimationFrame(() => setTimeout(() => (window.shownAt = performance.now())))
  })
  watcher.observe(document, { subtree: true, childList: true })`

/** In the page: from the end of the download of \`usher.js\` to the tooltip. */
export const FIRST_TOOLTIP = `(async () => {
  while (window.shownAt === undefined) await new Promise((done) => setTimeout(done, 10))
  const requests = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/sdk/'))
  const start = requests.find(({ name }) => name.endsWith('/usher.js')).responseEnd
  let [trips, until] = [0, start]
  for (const { startTime, responseEnd } of requests.sort((a, b) => a.startTime - b.startTime)) {
    const end = Math.min(responseEnd, shownAt)
    trips += Math.max(0, end - Math.max(startTime, until))
    until = Math.max(until, end)
  }
  return { totalMs: shownAt - start, tripsMs: trips, shift: window.shift }
})()`

export const ONE_ELEMENT = '<h1>Title</h1><button data-testid="a">A</button><p>Text</p>'

export const MANY_ELEMENTS = `<button data-testid="a">A</button><div id="m"></div><script>
  for (let i = 0; i < 5000; i++) { const e = document.createElement(i % 9 ? 'div' : 'button'); e.textContent = 'text ' + i; e.style.contain = 'content'; m.append(e) }
  setInterval(() => { m.children[Math.floor(Math.random() * 5000)].textContent = String(Math.random()) }, 20)
</script>`

export function hostPage(usherUrl: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>Kestrel</title><script>${WATCH}</script>
<script src="${usherUrl}/sdk/usher.js"></script><script>usher.init('pk_test'); usher.identify('ada')</script>
</head><body>${body}</body></html>`
}
