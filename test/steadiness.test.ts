import { glob, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

/** What makes the outcome of a test depend on how fast the machine is, and what to do instead. */
const UNSTEADY: [what: RegExp, instead: string][] = [
  [/vi\.wait(?:For|Until)\(/, 'ends after a second: expect.poll, or eventually in a hook'],
  [/\btimeout: [\d_]+/, 'a time limit of its own: those of vitest.config.ts only end a test that hangs'],
  [/^ *\}, [\d_]+\)$|^ *[\d_]{4,},\n *\)$/m, 'a time limit of its own, as the last argument'],
  [/\beventually\(.*, [\d_]{4,}\)$/m, 'a time limit of its own: without one it waits as long as expect.poll'],
  [/setConfig\(\{[^}]*[tT]imeout: \d{1,2}_?\d{3}\b/, 'a shorter time limit than that of vitest.config.ts'],
]
const FOLDERS = '{contract,dashboard,server,client/test,sdk/src,release,bench,test}'

it('no test has a time limit of its own for a condition that it waits for', async () => {
  const found: string[] = []
  const exclude = (name: string) => name === 'node_modules' || name === 'long'
  for await (const file of glob(`${FOLDERS}/**/*.test.ts`, { exclude })) {
    if (file.endsWith('steadiness.test.ts')) continue
    const text = await readFile(file, 'utf8')
    for (const [what, instead] of UNSTEADY)
      if (what.test(text)) found.push(`${file}: ${what.exec(text)?.[0]} ${instead}`)
  }
  expect(found).toEqual([])
})
