import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { buildScript } from '../test/support/built.ts'

const dist = fileURLToPath(new URL('dist/', import.meta.url))
beforeAll(async () => await buildScript())

const kilobytes = (files: string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(dist + file)).length, 0) / 1024
const parts = () => readdirSync(dist).filter((name) => /^[a-z-]+-[\w-]{8}\.js$/.test(name))
const first = () => {
  const [core] = parts().filter((name) => name.startsWith('core-')) as [string]
  const imports = readFileSync(dist + core, 'utf8').matchAll(/from"\.\/([\w.-]+)"/g)
  return [core, ...[...imports].map(([, name]) => name as string)]
}

it('the loader has at most 3 KB, and all that the first tooltip needs 30 KB, compressed', () => {
  expect(kilobytes(['usher.js'])).toBeLessThanOrEqual(3)
  expect(kilobytes(['usher.js', ...first()])).toBeLessThanOrEqual(30)
})

it('the stream, questions, checklists, banners and launchers are files of their own, which the first tooltip does not load', () => {
  for (const part of ['stream-', 'questions-', 'checklist-run-', 'ambient-run-']) {
    const file = parts().find((name) => name.startsWith(part)) as string
    expect(first()).not.toContain(file)
    expect(kilobytes([file])).toBeLessThanOrEqual(5)
  }
})

it('a part imports nothing but files of the first tooltip, so that the browser checks the hash of every file it runs', () => {
  for (const part of parts()) {
    const imports = readFileSync(dist + part, 'utf8').matchAll(
      /^import.*?from"\.\/([\w.-]+)"|;import[^;]*?from"\.\/([\w.-]+)"/g,
    )
    expect(first()).toEqual(expect.arrayContaining([...imports].map(([, one, other]) => one ?? other)))
  }
})

it('the package loads the rest with the first call, and not when it is imported', () => {
  const index = readFileSync(`${dist}index.js`, 'utf8')
  expect(index).not.toMatch(/^import|;import[^(]|from"/)
  expect(index).toContain(`import(\`./${first()[0]}\`)`)
})

it('every file has a source map and a compressed form, and the core is the same in the package as on the server', () => {
  const files = readdirSync(dist)
  for (const file of [...parts(), 'usher.js', 'index.js', 'preview.js']) {
    expect(files).toContain(`${file}.map`)
    expect(files).toContain(`${file}.br`)
  }
  expect(readFileSync(`${dist}index.js`, 'utf8')).toContain(first()[0])
  expect(readFileSync(`${dist}usher.js`, 'utf8')).toContain(first()[0])
})
