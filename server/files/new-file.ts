import { randomUUID } from 'node:crypto'
import { link, rename, stat } from 'node:fs/promises'

/** The name of a file while it is being written. Two commands that write the same file do not share it. */
export function unfinishedName(file: string): string {
  return `${file}.${randomUUID().slice(0, 8)}.unfinished`
}

/** Gives a complete file its name; false when another file has that name by now. Unlike a rename, a link never replaces a file. */
export async function nameNewFile(unfinished: string, file: string): Promise<boolean> {
  try {
    await link(unfinished, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // The file system has no links.
    if (await stat(file).catch(() => undefined)) return false
    await rename(unfinished, file)
    return true
  }
}
