import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { buildScript } from '../test/support/built.ts'

const dist = fileURLToPath(new URL('dist/', import.meta.url))
beforeAll(async () => await buildScript())

/** Methods that are newer than Chrome 111, Firefox 113 or Safari 16.4, the oldest browsers of sdk/README.md. */
const NEWER =
  /\.(checkVisibility|showPopover|togglePopover|hidePopover|toSorted|toSpliced|toReversed|groupBy|withResolvers|fromAsync|isSubsetOf|intersection|symmetricDifference|canParse|isWellFormed|moveBefore|setHTML|getHTML|requestIdleCallback|startViewTransition|randomUUID)\b|\b(CloseWatcher|URLPattern|Temporal|scheduler)\b/g

/** Each is asked for before it is used: `find.ts` and `layer.ts`. */
const GUARDED = ['.checkVisibility', '.showPopover']

it('the script calls nothing that is newer than the oldest browsers it is made for, but what it asks for first', () => {
  const files = readdirSync(dist).filter((name) => name.endsWith('.js'))
  expect(files.length).toBeGreaterThan(5)
  const used = files.flatMap((name) => [...readFileSync(dist + name, 'utf8').matchAll(NEWER)].map(([word]) => word))
  expect([...new Set(used)].sort()).toEqual(GUARDED)
})
