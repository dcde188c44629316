import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { names } from './table.ts'

const root = new URL('../..', import.meta.url)
const folders = ['server', 'contract', 'dashboard', 'docs', 'README.md', 'SECURITY.md', 'client/README.md']
const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((name) => /\.(ts|tsx|md)$/.test(name) && !/\.test\.|docs\/(decisions|measurements|embedded)/.test(name))

const words = [...new Set(names.map((name) => name.split(' ')[0]))].join('|')
const advice = new RegExp(`(["\`'>]|\\b(run|with|then:)) ?usher (${words})\\b`, 'i')
const isComment = (line: string) => /^\s*(\/\/|\/?\*)/.test(line)

// Only this is found in a checkout, and it works where the package is installed too.
it('every command that somebody is told to run begins with npx', () => {
  const found = files.flatMap((name) =>
    readFileSync(new URL(name, root), 'utf8')
      .split('\n')
      .filter((line) => advice.test(line) && !isComment(line))
      .map((line) => `${name}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
