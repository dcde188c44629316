import type { Log } from '../log.ts'

const nothing = () => {}
const print = (details: object, message: string) => {
  process.stderr.write(`${message} ${JSON.stringify(details)}\n`)
}

/** The log of a command: warnings and errors only, on standard error. */
export const commandLog: Log = { debug: nothing, info: nothing, warn: print, error: print }
