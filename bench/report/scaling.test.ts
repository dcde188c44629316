import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { scalingText } from './scaling.ts'

const read = async (name: string) => await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

it('every figure of docs/scaling.md that is calculated comes from docs/benchmarks.md', async () => {
  const [page, benchmarks] = [await read('scaling.md'), await read('benchmarks.md')]
  expect(page).toBe(scalingText(page, benchmarks))
})

it('another benchmark gives other figures, and a row that was not measured gives none', async () => {
  const [page, benchmarks] = [await read('scaling.md'), await read('benchmarks.md')]
  const changed = benchmarks
    .replace(/^(\| GET \/users\/:id \|(?:[^|]*\|){8})[^|]*\|([^|]*)\|[^|]*\|/m, '$1 60 |$2| 40 |')
    .replace(/^\| POST \/users, new users \|.*\n/m, '')
  const text = scalingText(page, changed)
  expect(text).toContain('| `GET /users/:id` | 60 + 40 | 10,000 | 40,000 | 160,000 | 640,000 |')
  expect(text).toContain('| `POST /users`, new user | – + – | – | – | – | – |')
})
