import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { ContentDocument } from '../contract/content/document.ts'
import { contentTypes } from '../contract/content/document.ts'
import { documentProblems } from '../contract/content/validate.ts'
import { runCase, type TestCase } from '../server/command/content/test-file.ts'
import { gateCodes } from '../server/decisions/gates.ts'
import { snippetsOf } from './support/snippets.ts'

const folder = new URL('../docs/', import.meta.url)
const read = async (name: string) => await readFile(new URL(name, folder), 'utf8')

const flow = (more: object) =>
  ({
    key: 'case',
    type: 'flow',
    name: 'Case',
    steps: [{ key: 'only', type: 'dialog', blocks: [{ heading: 'Hello' }] }],
    ...more,
  }) as ContentDocument

/** A block with a condition, and the two lines below it. */
const CASE = /^```json\n(.+?)^```\n\n- Met: `([^\n]+)`\n- Not met: `([^\n]+)`$/gms

it('every case of docs/concepts/conditions.md comes out as it says', async () => {
  const cases = [...(await read('concepts/conditions.md')).matchAll(CASE)]
  expect(cases.length).toBeGreaterThan(8)
  for (const [, condition, met, notMet] of cases) {
    // Another content, for what the user has seen.
    const documents = [flow({ who: JSON.parse(condition as string) }), flow({ key: 'welcome' })]
    for (const [text, outcome] of [
      [met, 'show'],
      [notMet, 'hide'],
    ] as const) {
      const test = { ...JSON.parse(text as string), expect: { content: 'case', outcome } } as TestCase
      expect(runCase(test, documents).failures, `${condition} with ${text}`).toEqual([])
    }
  }
})

it('every leaf of the page in docs/concepts/conditions.md is one that a document may have', async () => {
  const rows = [...(await read('concepts/conditions.md')).matchAll(/^\| \w+ \| `(\{.+?\})` \|/gm)]
  expect(rows).toHaveLength(5)
  for (const [, leaf] of rows) expect(documentProblems(flow({ where: JSON.parse(leaf as string) })), leaf).toEqual([])
})

it('every document in the documents is valid', async () => {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'))
  let found = 0
  for (const name of names) {
    for (const { language, code } of snippetsOf(await read(name))) {
      const value = language === 'json' ? JSON.parse(code) : undefined
      if (!contentTypes.includes(value?.type)) continue
      expect(documentProblems(value), name).toEqual([])
      found += 1
    }
  }
  expect(found).toBeGreaterThan(4)
})

it('docs/troubleshooting.md has a row for every code of a receipt', async () => {
  const page = await read('troubleshooting.md')
  expect(gateCodes.filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([])
})
