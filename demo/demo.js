import { pageOf, render } from './pages.js'
import { showView } from './panel.js'

/** The application: who is signed in, which page is shown, and the calls of Usher's script. */

const people = {
  'demo-ada': { name: 'Ada', plan: 'trial', role: 'owner', seats: 1 },
  'demo-grace': { name: 'Grace', plan: 'growth', role: 'member', seats: 12 },
  'demo-alan': { name: 'Alan', plan: 'scale', role: 'viewer', seats: 80 },
}
const newcomer = { name: 'Sam', plan: 'trial', role: 'member', seats: 1 }
const SOMEBODY_NEW = 'new'
const VIEW_MS = 1_000

const chooser = document.querySelector('#person')
const status = document.querySelector('#status')
let userId = 'demo-ada'

/** Calls that are made before the script has loaded wait in a queue, as the snippet of the documents does it. */
window.usher ??= {}
const loaded = new Promise((resolve) => {
  const script = document.querySelector('script[src="/sdk/usher.js"]')
  if (window.usher.init) resolve()
  else script.addEventListener('load', resolve)
})

async function ask(name, body) {
  const response = await fetch(`/demo/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer
}

async function signIn(id) {
  if (id !== userId) window.usher.reset()
  userId = id === SOMEBODY_NEW ? `demo-${crypto.randomUUID().slice(0, 8)}` : id
  // The back end of the application proves who the user is. The key for that never reaches a page.
  const proof = await ask('sign', { user_id: userId })
  const { ok, problem } = await window.usher.identify(userId, people[id] ?? newcomer, proof)
  status.textContent = ok ? `identify(${JSON.stringify(userId)}) was accepted.` : `identify failed: ${problem}`
  await view()
}

async function view() {
  if (!document.hidden)
    showView(await ask('view', { user_id: userId, browser_id: localStorage.getItem('usher.browser') }))
}

function go(path) {
  if (path !== location.pathname) history.pushState(null, '', path)
  render(pageOf(location.pathname), track)
}

function track(name, attributes) {
  void window.usher.track(name, attributes).then(view)
}

async function start() {
  for (const [id, { name, plan }] of Object.entries(people)) chooser.append(new Option(`${name} (${plan})`, id))
  chooser.append(new Option('Somebody new', SOMEBODY_NEW))
  chooser.addEventListener('change', () => void signIn(chooser.value))
  addEventListener('popstate', () => go(location.pathname))
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="/demo"]')
    if (!link || event.metaKey || event.ctrlKey) return
    event.preventDefault()
    go(link.getAttribute('href'))
  })
  go(location.pathname)
  const { token } = await ask('open', {})
  await loaded
  window.usher.init(token)
  await signIn(userId)
  setInterval(() => void view().catch(() => {}), VIEW_MS)
}

start().catch((error) => {
  status.textContent = error.message
})
