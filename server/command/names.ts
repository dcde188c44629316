import { UsageError } from './command.ts'

const MOST_CHARACTERS = 100

/** A name that a person gives to an account or an environment. */
export function parseName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > MOST_CHARACTERS || /\p{Cc}/u.test(name)) {
    throw new UsageError(`"${text}" is not a name: 1 to ${MOST_CHARACTERS} characters, no control characters.`)
  }
  return name
}

/** Part of a message: `Production, Staging`. */
export function listNames(rows: readonly { name: string }[]): string {
  return rows.map(({ name }) => name).join(', ')
}
