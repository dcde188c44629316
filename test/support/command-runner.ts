import { usher } from './command.ts'

export interface CommandToRun {
  words: readonly string[]
  settings: Record<string, string>
  folder: string
}

/** Runs the given `usher` commands one after the other, each in its folder, and answers their outcomes. */
process.on('message', async ({ words, settings, folder }: CommandToRun) => {
  process.chdir(folder)
  process.send?.(await usher(words, settings))
})
