import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../test/support/folder.ts'
import { RejectedFile, rejectedPathOf } from './rejected-file.ts'

async function rejectedFile(): Promise<RejectedFile> {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  return new RejectedFile(join(folder, 'users.ndjson.rejected.ndjson'))
}

const refused = (line: number) => ({ line, reason: 'r', input: 'a\u2028b' })

it('has the lines up to where the import is, without what an interrupted run had written behind them', async () => {
  const file = await rejectedFile()
  await file.add([refused(3), refused(7), refused(12)])
  await writeFile(file.path, '{"line":13,"rea', { flag: 'a' })
  await file.resetTo(7, [refused(9)])
  expect([...(await file.lines())]).toEqual([3, 7, 9])
  expect((await readFile(file.path, 'utf8')).split('\n').slice(0, 1)).toEqual([JSON.stringify(refused(3))])
  await file.resetTo(0, [])
  expect(await file.lines()).toEqual(new Set())
  await expect(readFile(file.path)).rejects.toThrow('ENOENT')
})

it('is not replaced when what it holds cannot be read', async () => {
  const file = await rejectedFile()
  await symlink(file.path, file.path)
  await expect(file.resetTo(7, [refused(9)])).rejects.toThrow('ELOOP')
  await expect(file.lines()).rejects.toThrow('ELOOP')
})

it('writes nothing when there is nothing to keep: the folder may be read-only', async () => {
  const file = new RejectedFile('/dev/fd/63.rejected.ndjson')
  await file.resetTo(0, [])
  await file.resetTo(7, [])
})

it('is beside its file, and a new one in the current folder for what can be read only once', () => {
  expect(rejectedPathOf('/data/users.csv', { identity: 'abc' })).toBe('/data/users.csv.rejected.ndjson')
  const once = ['-', '-', '/dev/fd/63'].map((path) => rejectedPathOf(path, { identity: undefined }))
  expect(once[0]).toMatch(/^stdin-\w{8}\.rejected\.ndjson$/)
  expect(once[2]).toMatch(/^63-\w{8}\.rejected\.ndjson$/)
  expect(new Set(once).size).toBe(3)
})
