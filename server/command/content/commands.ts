import { isEqual } from '../../../contract/content/differences.ts'
import { StartupError } from '../../startup-error.ts'
import { type CommandResult, command } from '../command.ts'
import { compareFolder, differingText } from './comparison.ts'
import { type Folder, readFolder, writeDocument } from './files.ts'
import { placeOptions, withPlace } from './place.ts'
import type { Place } from './stored.ts'

export const contentPull = command({
  summary: 'Write the drafts of an environment into a folder, a file for each content',
  parameters: ['FOLDER'],
  options: placeOptions,
  async run({ config, parameters: [folder], options }) {
    return await withPlace(config, options, async (place) => {
      const { files, problems } = await readFolder(folder)
      if (problems.length > 0) return problemResult(problems)
      const own = new Map(files.map((file) => [file.document.key, file]))
      const written: string[] = []
      for (const { key, draft } of await place.read()) {
        const file = own.get(key)
        // A file that says the same keeps its comments.
        if (!file || !isEqual(file.document, draft)) written.push(await writeDocument(folder, file?.path, draft))
      }
      return {
        text: written.length === 0 ? 'Nothing has changed.' : `Written:\n${written.join('\n')}`,
        json: { written },
      }
    })
  },
})

export const contentDiff = command({
  summary:
    'Say in words what a folder would change; ends with 0 (nothing), 1 (something) or 2 (the files have problems)',
  parameters: ['FOLDER'],
  options: {
    ...placeOptions,
    published: { type: 'boolean', description: 'compare with what users see, not with the drafts' },
  },
  async run({ config, parameters: [folder], options }) {
    return await withFolder(folder, async ({ files }) =>
      withPlace(config, options, async (place) => {
        const differing = compareFolder(files, await place.read(), options.published)
        return { text: differingText(differing), json: { differing }, failed: differing.length > 0 }
      }),
    )
  },
})

export const contentPush = command({
  summary: 'Save the documents of a folder as drafts, all in one transaction',
  parameters: ['FOLDER'],
  options: { ...placeOptions, 'dry-run': { type: 'boolean', description: 'only say what would change' } },
  async run({ config, parameters: [folder], options }) {
    return await pushFolder(folder, false, options['dry-run'], (work) => withPlace(config, options, work))
  },
})

export const contentPublish = command({
  summary: 'Save and publish the documents of a folder, all in one transaction',
  parameters: ['FOLDER'],
  options: { ...placeOptions, 'dry-run': { type: 'boolean', description: 'only say what would change' } },
  async run({ config, parameters: [folder], options }) {
    return await pushFolder(folder, true, options['dry-run'], (work) => withPlace(config, options, work))
  },
})

type InPlace = (work: (place: Place) => Promise<CommandResult>) => Promise<CommandResult>

async function pushFolder(
  folder: string,
  publish: boolean,
  isDryRun: boolean,
  inPlace: InPlace,
): Promise<CommandResult> {
  return await withFolder(folder, async ({ files }) =>
    inPlace(async (place) => {
      const stored = await place.read()
      const revisions = new Map(stored.map(({ key, revision }) => [key, revision]))
      const differing = compareFolder(files, stored, publish).filter(({ state }) => state !== 'only_there')
      const keys = new Set(differing.map(({ key }) => key))
      const items = files
        .filter(({ document }) => keys.has(document.key))
        .map(({ document }) => ({ document, expected_draft: revisions.get(document.key) ?? 'new' }))
      if (items.length > 0 && !isDryRun) await place.push(items, publish)
      const done = isDryRun ? '' : publish ? 'Published.\n\n' : 'Saved as drafts.\n\n'
      return { text: (items.length > 0 ? done : '') + differingText(differing), json: { differing, dry_run: isDryRun } }
    }),
  )
}

async function withFolder(folder: string, work: (read: Folder) => Promise<CommandResult>): Promise<CommandResult> {
  const read = await readFolder(folder)
  if (read.problems.length > 0) return problemResult(read.problems)
  if (read.files.length === 0) throw new StartupError(`There is no document (*.json) in ${folder}.`)
  return await work(read)
}

/** The files cannot be used. */
function problemResult(problems: readonly string[]): CommandResult {
  return { text: problems.join('\n'), json: { problems }, exitCode: 2 }
}
