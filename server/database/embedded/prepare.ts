import { prepare } from './prepared.ts'

/** Run by npm at the end of an installation. Without it everything works, and the first start takes a second more. */
await prepare().catch((error: Error) => {
  process.stdout.write(`No database was prepared, so the first start will take a little longer: ${error.message}\n`)
})
