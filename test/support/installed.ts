import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Whether a program is there, by its name on the path or by its file. */
export function isInstalled(program: string): boolean {
  return fileOf(program) !== undefined
}

/** The file of a program, if it is there. */
export function fileOf(program: string): string | undefined {
  const candidates = isAbsolute(program)
    ? [program]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program))
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
