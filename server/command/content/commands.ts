import { basename } from 'node:path'
import type { KeptDraft } from '../../content/push.ts'
import { ApiError } from '../../errors.ts'
import { StartupError } from '../../startup-error.ts'
import { type CommandResult, command } from '../command.ts'
import { compareFolder, differingText } from './comparison.ts'
import { type DocumentFile, type Folder, readFolder } from './files.ts'
import { placeOptions, withPlace } from './place.ts'
import { endWith2, problemResult } from './problem-result.ts'
import type { Place, Push, PushResult } from './stored.ts'

export const contentDiff = command({
  summary:
    'Say in words what a folder would change; ends with 0 (nothing), 1 (something) or 2 (the files have problems, or it could not compare)',
  parameters: ['FOLDER'],
  options: {
    ...placeOptions,
    published: { type: 'boolean', description: 'compare with what users see, not with the drafts' },
  },
  async run({ config, parameters: [folder], options }) {
    const compared = withFolder(folder, async ({ files }) =>
      withPlace(config, options, async (place) => {
        const differing = compareFolder(files, await place.read(), options.published)
        const failed = differing.some(({ state }) => state !== 'only_there')
        return { text: differingText(differing), json: { differing }, failed }
      }),
    )
    return await compared.catch(endWith2)
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
      const pushed = files.filter(({ document }) => keys.has(document.key))
      const items = pushed.map(({ document }) => ({ document, expected_draft: revisions.get(document.key) ?? 'new' }))
      const push = { items, publish, isDryRun }
      const { kept, warnings } = items.length > 0 ? await pushNamed(place, pushed, push) : NOTHING_PUSHED
      const done = doneTexts(items.length > 0 && !isDryRun, publish)
      return {
        text: [...done, differingText(differing), ...keptTexts(kept), ...warningTexts(warnings)].join('\n\n'),
        json: { differing, dry_run: isDryRun, kept, warnings },
      }
    }),
  )
}

const NOTHING_PUSHED: PushResult = { kept: [], warnings: [] }

/** Refusals and warnings name the files, not the places in the request. */
async function pushNamed(place: Place, files: readonly DocumentFile[], push: Push): Promise<PushResult> {
  try {
    const { kept, warnings } = await place.push(push)
    return { kept, warnings: warnings.map((warning) => withFiles(warning, files)) }
  } catch (error) {
    if (!(error instanceof StartupError || error instanceof ApiError)) throw error
    throw new StartupError(withFiles(error.message, files))
  }
}

function withFiles(message: string, files: readonly DocumentFile[]): string {
  const named = message.replace(/\bdocuments\[(\d+)\](?:\.document)?\.?/g, (whole, index: string) => {
    const file = files[Number(index)]
    return file ? `${basename(file.path)}: ` : whole
  })
  return named.replaceAll(': : ', ': ')
}

const doneTexts = (isDone: boolean, publish: boolean) => (isDone ? [publish ? 'Published.' : 'Saved as drafts.'] : [])

function keptTexts(kept: readonly KeptDraft[]): string[] {
  if (kept.length === 0) return []
  const lines = kept.map(
    ({ key, version, edited_by, edited_at }) =>
      `  ${key}: version ${version}, which ${edited_by ?? 'somebody'} edited at ${edited_at}`,
  )
  return [`Drafts of others that were not published stay as versions:\n${lines.join('\n')}`]
}

function warningTexts(warnings: readonly string[]): string[] {
  return warnings.length === 0 ? [] : [`Warnings:\n${warnings.map((warning) => `  ${warning}`).join('\n')}`]
}

async function withFolder(folder: string, work: (read: Folder) => Promise<CommandResult>): Promise<CommandResult> {
  const read = await readFolder(folder)
  if (read.problems.length > 0) return problemResult(read.problems)
  if (read.files.length === 0)
    throw new StartupError(`There is no document (*.json) in ${folder}. Folders below it are not read.`)
  return await work(read)
}
