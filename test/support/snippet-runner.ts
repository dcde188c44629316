import { format } from 'node:util'

/** Runs the programs that it is told of one after the other, each a module of its own, and answers what they print. */
process.on('message', async (file: string) => {
  let printed = ''
  console.log = (...values: unknown[]) => {
    printed += `${format(...values)}\n`
  }
  const failure = await import(file).then(
    () => undefined,
    (error: Error) => String(error.stack),
  )
  process.send?.({ printed, failure })
})
