import { readFileSync } from 'node:fs'

/** The version of this Usher, as its package.json says. */
export const usherVersion: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version
