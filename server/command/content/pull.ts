import { chmod, mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { isEqual } from '../../../contract/content/differences.ts'
import type { ContentDocument } from '../../../contract/content/document.ts'
import { formatDocument } from '../../../contract/content/format.ts'
import { nameNewFile, unfinishedName } from '../../files/new-file.ts'
import { fileReason } from '../../files/reason.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { hasComments, withComments } from './comments.ts'
import { keyOf, type ReadFile, readFiles, repeatedKeys } from './files.ts'
import { placeOptions, withPlace } from './place.ts'
import { problemResult } from './problem-result.ts'

export const contentPull = command({
  summary: 'Write the drafts of an environment into a folder, a file for each content; other files stay as they are',
  parameters: ['FOLDER'],
  options: placeOptions,
  async run({ config, parameters: [folder], options }) {
    return await withPlace(config, options, async (place) => {
      const drafts = (await place.read()).map(({ draft }) => draft)
      await mkdir(folder, { recursive: true }).catch((error) => {
        throw new StartupError(`The folder ${folder} cannot be made: ${fileReason(error)}.`)
      })
      const files = await readFiles(folder)
      const own = new Map(files.map((file) => [keyOf(file), file]))
      const problems = [
        ...repeatedKeys(files),
        ...takenNames(drafts, own, new Set(await readdir(folder))),
        ...(await linksOutside(folder, changedFiles(drafts, own))),
      ]
      if (problems.length > 0) return problemResult(problems)
      const written = await write(folder, drafts, own).catch((error) => {
        throw error instanceof StartupError
          ? error
          : new StartupError(`The folder ${folder} cannot be written: ${fileReason(error)}.`)
      })
      return {
        text: written.length === 0 ? 'Nothing has changed.' : `Written:\n${written.join('\n')}`,
        json: { written },
      }
    })
  },
})

/** The files that were written. */
async function write(
  folder: string,
  drafts: readonly ContentDocument[],
  own: ReadonlyMap<string | undefined, ReadFile>,
): Promise<string[]> {
  const written: string[] = []
  for (const draft of drafts) {
    const file = own.get(draft.key)
    if (!file) written.push(await writeNew(join(folder, nameOf(draft)), formatDocument(draft)))
    else if (isChanged(file, draft)) written.push(await replace(file, draft))
  }
  return written
}

/** A file that says the same stays as it is. */
const isChanged = ({ value }: ReadFile, draft: ContentDocument) => !isEqual(value, draft)

function changedFiles(
  drafts: readonly ContentDocument[],
  own: ReadonlyMap<string | undefined, ReadFile>,
): readonly ReadFile[] {
  return drafts.flatMap((draft) => {
    const file = own.get(draft.key)
    return file && isChanged(file, draft) ? [file] : []
  })
}

/** A folder may come from somebody else. Nothing outside of it is written. */
async function linksOutside(folder: string, files: readonly ReadFile[]): Promise<string[]> {
  const inside = join(await realpath(folder), sep)
  const problems = files.map(async ({ path }) =>
    (await realpath(path)).startsWith(inside)
      ? []
      : [`${basename(path)}: is a link out of the folder, so it is not overwritten; put the file in its place first`],
  )
  return (await Promise.all(problems)).flat()
}

const nameOf = ({ key }: ContentDocument) => `${key}.json`

/** A file that is not of the content is not overwritten, whatever it has. */
function takenNames(
  drafts: readonly ContentDocument[],
  own: ReadonlyMap<string | undefined, ReadFile>,
  names: ReadonlySet<string>,
): string[] {
  return drafts
    .filter((draft) => !own.has(draft.key) && names.has(nameOf(draft)))
    .map((draft) => `${nameOf(draft)}: does not have the key ${draft.key}, so it is not overwritten; rename it first`)
}

async function writeNew(path: string, text: string): Promise<string> {
  const unfinished = unfinishedName(path)
  try {
    await writeFile(unfinished, text)
    if (await nameNewFile(unfinished, path)) return path
  } finally {
    await rm(unfinished, { force: true })
  }
  throw new StartupError(`${basename(path)} was made by somebody else meanwhile: pull again.`)
}

/** The file is whole at every moment, and keeps its comments and its rights. */
async function replace({ path, text, value }: ReadFile, draft: ContentDocument): Promise<string> {
  const target = await realpath(path)
  const unfinished = unfinishedName(target)
  const changed = hasComments(text) ? withComments(text, value, draft) : formatDocument(draft)
  try {
    const { mode } = await stat(target)
    await writeFile(unfinished, changed, { mode })
    // The umask of the process takes rights away from a new file.
    await chmod(unfinished, mode)
    await rename(unfinished, target)
  } finally {
    await rm(unfinished, { force: true })
  }
  return path
}
