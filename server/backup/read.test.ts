import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../test/support/folder.ts'
import { linesOf } from './read.ts'

it('looks at each character of a long line once', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const lines = ['{}', `${randomBytes(2_000_000).toString('hex')}é`, '\\.', 'last']
  const text = `${lines.join('\n')}\n`
  const file = join(folder, 'backup.gz')
  await writeFile(file, gzipSync(text))
  const split = vi.spyOn(String.prototype, 'split')
  onTestFinished(() => split.mockRestore())
  const found: string[] = []
  for await (const line of linesOf(file)) found.push(line)
  const looked = split.mock.contexts.reduce((sum: number, each) => sum + String(each).length, 0)
  split.mockRestore()
  expect(found).toEqual(lines)
  expect(looked).toBeLessThan(1.1 * text.length)
})
