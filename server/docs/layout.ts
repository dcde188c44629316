import { escapeHtml } from '../http/escape-html.ts'
import { addressOf, type Chapter, isInFolder } from './contents.ts'
import type { Heading } from './markdown.ts'

/** What every page shows around its content. */
export interface Shell {
  chapters: readonly Chapter[]
  version: string
  /** The URL of a file. It changes with the content, so that browsers can cache the file forever. */
  asset: (name: string) => string
}

export interface Content {
  slug: string
  title: string
  html: string
  headings: readonly Heading[]
}

export function renderLayout(shell: Shell, { slug, title, html, headings }: Content): string {
  const { asset, version } = shell
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Usher</title>
<link rel="icon" href="${asset('mark.svg')}" type="image/svg+xml">
<script src="${asset('theme.js')}"></script>
<link rel="stylesheet" href="${asset('site.css')}">
<script src="${asset('minisearch.js')}" defer></script>
<script src="${asset('site.js')}" defer></script>
</head>
<body data-search="${asset('search.json')}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs"><img src="${asset('mark.svg')}" alt="" width="18" height="18">Usher <span>Docs</span></a>
<div class="search" hidden><input type="search" id="search" placeholder="Search" aria-label="Search the documents" autocomplete="off" aria-controls="results"><kbd>/</kbd><div id="results" role="listbox" aria-label="Search results" hidden></div></div>
<nav class="links" aria-label="Usher"><a href="/app/">Dashboard</a><a href="/docs/reference">API reference</a><button type="button" id="theme" hidden>Theme</button></nav>
</header>
<div class="columns">
<details class="menu" open><summary>Contents</summary>${navigation(shell.chapters, slug)}</details>
<main id="content">${html}${around(shell.chapters, slug)}<footer>Usher ${escapeHtml(version)}</footer></main>
${outline(headings)}
</div>
</body>
</html>
`
}

function navigation(chapters: readonly Chapter[], current: string): string {
  const parts = chapters.map(({ title, pages }) => {
    const links = pages.map(({ slug, title: name }) => {
      const isHere = slug === current || (isInFolder(current) && current.startsWith(`${slug}/`))
      return `<li><a href="${addressOf(slug)}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`
    })
    return `<h2>${escapeHtml(title)}</h2><ul>${links.join('')}</ul>`
  })
  return `<nav class="chapters" aria-label="Chapters">${parts.join('')}</nav>`
}

/** The page before and the one after it. */
function around(chapters: readonly Chapter[], current: string): string {
  const pages = chapters.flatMap((chapter) => chapter.pages)
  const index = pages.findIndex(({ slug }) => slug === current)
  if (index < 0) return ''
  const link = (offset: number, word: string) => {
    const page = pages[index + offset]
    return page
      ? `<a href="${addressOf(page.slug)}"><span>${word}</span>${escapeHtml(page.title)}</a>`
      : '<span></span>'
  }
  return `<nav class="around" aria-label="Neighbouring pages">${link(-1, 'Before')}${link(1, 'Next')}</nav>`
}

function outline(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return '<aside></aside>'
  const links = shown.map(
    ({ level, id, text }) => `<li class="level${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<aside><nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav></aside>`
}
