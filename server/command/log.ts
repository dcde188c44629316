import type { Log } from '../log.ts'

const nothing = () => {}
const tell = (details: object, message: string) => {
  process.stderr.write(`${message} ${JSON.stringify(details)}\n`)
}

/** Of what happens behind a command, only what went wrong is told, and never on standard output. */
export const commandLog: Log = { debug: nothing, info: nothing, warn: tell, error: tell }
