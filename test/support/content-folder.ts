import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from './folder.ts'

/** A folder of content files. An object is written as JSON. */
export async function contentFolder(files: Record<string, object | string | Buffer>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, value] of Object.entries(files)) {
    const isWritten = typeof value === 'string' || Buffer.isBuffer(value)
    await writeFile(join(folder, name), isWritten ? value : JSON.stringify(value))
  }
  return folder
}
