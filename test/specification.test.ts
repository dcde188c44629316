import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('..', import.meta.url)
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.sql', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((name) => name !== '' && name !== 'test/specification.test.ts')
const textOf = (name: string) => readFileSync(new URL(name, root), 'utf8')
const specification = textOf('docs/specification.md')
const anchors = [...specification.matchAll(/<a id="(S-[A-Z-]+)">/g)].map(([, name]) => name as string)

it('every rule of the specification that is cited exists, once', () => {
  expect(new Set(anchors).size).toBe(anchors.length)
  for (const name of files)
    for (const [cited] of textOf(name).matchAll(/(?<![\w-])S-[A-Z][A-Z-]*[A-Z]/g))
      expect([name, cited, anchors.includes(cited)]).toEqual([name, cited, true])
})

it('nothing cites a decision by a bare number', () => {
  const bare = files.filter((name) => /\bdecisions? \d{1,2}\b/i.test(textOf(name)))
  expect(bare).toEqual([])
})
