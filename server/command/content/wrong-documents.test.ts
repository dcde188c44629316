import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { exampleBanner, exampleChecklist, exampleFlow, exampleLauncher } from '../../../contract/content/examples.ts'
import { documentProblems } from '../../../contract/content/validate.ts'
import { type Outcome, usher } from '../../../test/support/command.ts'
import { contentFolder } from '../../../test/support/content-folder.ts'
import { mutated } from '../../../test/support/mutated.ts'
import { listedContent, strangeServer } from '../../../test/support/strange-server.ts'

const numRuns = inject('isLong') ? 2_000 : 200
const documents = [exampleFlow, exampleChecklist, exampleBanner, exampleLauncher]

const testFile = {
  tests: [
    {
      name: 'a case',
      now: '2026-01-03T09:30:00Z',
      user: { id: 'u', attributes: { plan: 'trial' }, created_at: '3d' },
      groups: [{ id: 'g', attributes: { plan: 'growth' }, membership: { role: 'owner' } }],
      group: 'g',
      events: [{ name: 'task_completed', time: '2d', attributes: { seats: 1 }, group: 'g' }],
      seen: { 'get-started': { started: 1, time: '1d', completed: '1h' } },
      segments: { staff: { attribute: 'plan', is: 'equals', value: 'trial' } },
      guidance: { off: false, quiet: '1h' },
      expect: { content: 'first-report', outcome: 'hide', step: 'where-it-is' },
    },
    { user: {}, segments: { a: { segment: 'b' }, b: { segment: 'a' } }, expect: { shown: ['maintenance'] } },
  ],
}

/** What a command says of a mistake of others: lines, and no place in the code. */
const isInWords = ({ code, stdout, stderr }: Outcome) => {
  expect([0, 1, 2]).toContain(code)
  expect(stdout + stderr).not.toMatch(/^ {4}at |TypeError|undefined/m)
}

it('a wrong document of a folder is said in words with its file, and does not pass', async () => {
  const folder = await contentFolder({ 'a.test.json': { expect: { shown: [] } } })
  await fc.assert(
    fc.asyncProperty(mutated(documents), async (document) => {
      await writeFile(join(folder, 'a.json'), JSON.stringify(document))
      const outcome = await usher(['content', 'test', folder], {})
      isInWords(outcome)
      if (documentProblems(JSON.parse(JSON.stringify(document))).length === 0) return
      expect(outcome.code).toBe(2)
      for (const line of outcome.stdout.trimEnd().split('\n')) expect(line).toMatch(/^a\.json: \S/)
    }),
    { numRuns },
  )
})

it('a wrong test of a folder is said in words', async () => {
  const folder = await contentFolder(Object.fromEntries(documents.map((one) => [`${one.key}.json`, one])))
  await fc.assert(
    fc.asyncProperty(mutated([testFile, ...testFile.tests]), async (test) => {
      await writeFile(join(folder, 'a.test.json'), JSON.stringify(test))
      isInWords(await usher(['content', 'test', folder], {}))
    }),
    { numRuns },
  )
})

it('a wrong document of a server is said in words, and is not taken for no difference', async () => {
  let answer = ''
  const url = await strangeServer((response) => void response.end(answer))
  const folder = await contentFolder(Object.fromEntries(documents.map((one) => [`${one.key}.json`, one])))
  await fc.assert(
    fc.asyncProperty(mutated(documents), fc.boolean(), async (document, isPublished) => {
      const listed = listedContent(documents.find(({ key }) => key === Object(document).key) ?? exampleBanner)
      const version = { revision: '1.1', document }
      const data = listed.data.map((one) => ({
        ...one,
        [isPublished ? 'published_version' : 'draft_version']: version,
      }))
      answer = JSON.stringify({ ...listed, data })
      const words = ['content', 'diff', folder, '--url', url, '--key', 'ak_1', ...(isPublished ? ['--published'] : [])]
      const outcome = await usher(words, {})
      isInWords(outcome)
      // The folder has three others.
      expect(outcome.code).not.toBe(0)
    }),
    { numRuns },
  )
})
