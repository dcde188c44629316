import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fileGraph } from '../support/import-graph.ts'

const root = fileURLToPath(new URL('../../dashboard/', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const graph = fileGraph(root)
const files = [...graph.keys()].filter((file) => !file.startsWith('dist/'))

const SHEET = /'(?:\.\.?\/)+(styles\/[\w-]+\.css)'/g
const sheetsOf = new Map(
  files.map((file) => [file, [...read(file).matchAll(SHEET)].map(([, sheet]) => sheet as string)]),
)

/** The file, and all that it imports. */
function reached(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const next of graph.get(file) ?? []) reached(next, seen)
  return seen
}

/** A page with the layouts around it. */
function filesOf(page: string): Set<string> {
  const layouts = files.filter((file) => file.endsWith('/route.tsx') && page.startsWith(`${dirname(file)}/`))
  return new Set(['routes/__root.tsx', ...layouts, page].flatMap((file) => [...reached(file)]))
}

/** The classes in the literals of `className`. */
function classesIn(text: string): string[] {
  const given = [...text.matchAll(/className=("[^"]*"|\{(?:[^{}]|\{[^}]*\})*\})/g)].map(([, value]) => value as string)
  return given
    .flatMap((value) => [...value.matchAll(/'([^']*)'|"([^"]*)"|`((?:[^`$]|\$\{[^}]*\})*)`/g)])
    .flatMap(([, single, double, template]) =>
      (single ?? double ?? (template as string).replaceAll(/\$\{[^}]*\}/g, ' ')).split(/\s+/),
    )
}

function selectorsOf(sheet: string): string[] {
  const heads = [
    ...read(sheet)
      .replaceAll(/\/\*[\s\S]*?\*\//g, '')
      .matchAll(/([^{};]+)\{/g),
  ].map(([, head]) => head as string)
  return heads.flatMap((head) => head.split(/,(?![^(]*\))/)).map((selector) => selector.trim().replaceAll(/\s+/g, ' '))
}

const namedBy = (selector: string) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name as string)

it('a sheet that some pages load changes nothing on the others, which keep it once it is loaded', () => {
  const sheets = [...new Set([...sheetsOf.values()].flat())].map((sheet) => ({ sheet, selectors: selectorsOf(sheet) }))
  const found = new Set<string>()
  for (const page of files.filter((file) => file.startsWith('routes/'))) {
    const own = [...filesOf(page)]
    const loaded = new Set(own.flatMap((file) => sheetsOf.get(file) ?? []))
    const classes = new Set(own.flatMap((file) => classesIn(read(file))))
    for (const { sheet, selectors } of sheets)
      for (const selector of loaded.has(sheet) ? [] : selectors) {
        const names = namedBy(selector)
        if (names.length > 0 && names.every((name) => classes.has(name))) found.add(`${sheet}: ${selector}, on ${page}`)
      }
  }
  expect([...found]).toEqual([])
})
