import { format } from 'node:util'

/** Runs the given programs one after the other, each as a module, and answers what they print. */
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
