// Adds what needs a script to pages that can be read without one: search, copy buttons, the theme, one language for all.

const LANGUAGE = 'docs-language'

addCopyButtons()
addLanguages()
addTheme()
addSearch()
foldMenu()
markSection()

function addCopyButtons() {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await copy(block.querySelector('code'))
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    block.append(button)
  }
}

// Browsers have a clipboard on https and on this machine only. Elsewhere the selected text is copied.
async function copy(element) {
  if (navigator.clipboard) return await navigator.clipboard.writeText(element.textContent)
  getSelection().selectAllChildren(element)
  document.execCommand('copy')
}

// A language that was opened once is open in every sample.
function addLanguages() {
  const samples = [...document.querySelectorAll('details.sample')]
  const open = (language) => {
    for (const sample of samples) {
      const has = [...sample.parentElement.children].some((other) => other.dataset.language === language)
      if (has) sample.open = sample.dataset.language === language
    }
  }
  const stored = localStorage.getItem(LANGUAGE)
  if (stored !== null) open(stored)
  for (const sample of samples) {
    sample.querySelector('summary').addEventListener('click', (event) => {
      event.preventDefault()
      const before = sample.getBoundingClientRect().top
      localStorage.setItem(LANGUAGE, sample.dataset.language)
      open(sample.dataset.language)
      // What was clicked stays where it is, although samples above it have changed their height.
      scrollBy(0, sample.getBoundingClientRect().top - before)
    })
  }
}

function addTheme() {
  const button = document.getElementById('theme')
  const themes = ['system', 'light', 'dark']
  const show = (theme) => {
    document.documentElement.classList.remove('light', 'dark')
    if (theme !== 'system') document.documentElement.classList.add(theme)
    button.textContent = `Theme: ${theme}`
  }
  let theme = themes.includes(localStorage.getItem('theme')) ? localStorage.getItem('theme') : 'system'
  show(theme)
  button.hidden = false
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length]
    localStorage.setItem('theme', theme)
    show(theme)
  })
}

// On a narrow screen the chapters are folded; without a script they are open.
function foldMenu() {
  const menu = document.querySelector('details.menu')
  const narrow = matchMedia('(max-width: 56rem)')
  const fold = () => {
    menu.open = !narrow.matches
  }
  fold()
  narrow.addEventListener('change', fold)
}

function addSearch() {
  const box = document.querySelector('.search')
  const input = document.getElementById('search')
  const results = document.getElementById('results')
  box.hidden = false
  let index
  const load = async () => {
    const response = await fetch(document.body.dataset.search)
    const search = new MiniSearch({
      fields: ['title', 'page', 'text'],
      storeFields: ['title', 'page', 'address', 'text'],
      // Names such as `who_not_met` as they are, and by their parts.
      tokenize: (text) => [...partsOf(text), ...namesOf(text).filter((name) => name.includes('_'))],
      searchOptions: {
        prefix: true,
        fuzzy: 0.15,
        combineWith: 'AND',
        boost: { title: 4, page: 2 },
        // Decisions are for people who change Usher: they come after the pages for those who use it.
        boostDocument: (address) => (address.startsWith('/docs/decisions') ? 0.2 : 1),
      },
    })
    search.addAll(await response.json())
    return search
  }
  const find = async () => {
    const words = input.value.trim()
    if (words === '') return hide()
    prepare()
    const search = await index
    // What has the very name comes before what has its parts.
    const queries = [
      { queries: [words], tokenize: partsOf, combineWith: 'AND' },
      { queries: [words], tokenize: namesOf, combineWith: 'AND' },
    ]
    const found = search.search({ combineWith: 'OR', queries }).slice(0, 12)
    if (input.value.trim() === words) show(found, words)
  }
  const show = (found, words) => {
    results.replaceChildren(...(found.length > 0 ? found.map(result) : [nothing(words)]))
    results.hidden = false
  }
  const hide = () => {
    results.hidden = true
  }
  const prepare = () => {
    index ??= load()
  }
  input.addEventListener('focus', prepare, { once: true })
  input.addEventListener('input', () => void find())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') move(event, results.firstElementChild)
    if (event.key === 'Escape') hide()
    if (event.key === 'Enter') results.querySelector('a')?.click()
  })
  results.addEventListener('keydown', (event) => {
    const here = document.activeElement
    if (event.key === 'ArrowDown') move(event, here.nextElementSibling)
    if (event.key === 'ArrowUp') move(event, here.previousElementSibling ?? input)
    if (event.key === 'Escape') {
      hide()
      input.focus()
    }
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
  document.addEventListener('click', (event) => {
    if (!box.contains(event.target)) hide()
  })
}

function partsOf(text) {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
}

function namesOf(text) {
  return text.split(/[^\p{L}\p{N}_]+/u).filter(Boolean)
}

function move(event, to) {
  event.preventDefault()
  to?.focus()
}

function result({ title, page, address, text }) {
  const link = document.createElement('a')
  link.href = address
  link.setAttribute('role', 'option')
  const where = document.createElement('span')
  where.textContent = title === page ? '' : page
  const name = document.createElement('strong')
  name.textContent = title
  const words = document.createElement('small')
  words.textContent = text.slice(0, 120)
  link.append(name, where, words)
  return link
}

function nothing(words) {
  const line = document.createElement('p')
  line.textContent = `Nothing found for “${words}”.`
  return line
}

// The section that is being read: the last one whose heading has passed the upper part of the window.
function markSection() {
  const links = [...document.querySelectorAll('aside a[href^="#"]')]
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))))
  const mark = () => {
    const passed = headings.filter((heading) => heading && heading.getBoundingClientRect().top < innerHeight / 3)
    const isEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const current = headings.indexOf(isEnd ? headings.at(-1) : (passed.at(-1) ?? headings[0]))
    links.forEach((link, index) => {
      if (index === current) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
    })
  }
  if (links.length === 0) return
  addEventListener('scroll', mark, { passive: true })
  mark()
}
