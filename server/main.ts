import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

// Before the first import: compiled code is cached next to the packages. Without the cache, stripping types and
// compiling takes 0.4 s of every start. A folder that cannot be written only costs this time. bin/usher.js has done
// this already; the command of the package @usher/server begins here.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/usher', import.meta.url)))

// Our files import each other by their exact paths. Node would ask the file system about each of 750 paths and the folders
// above it: 0.2 of the 1.0 s of CPU time that loading the server takes. The package @usher/server has JavaScript.
const ROOT = new URL('..', import.meta.url).href
const FORMATS = { '.ts': 'module-typescript', '.js': 'module' }

registerHooks({
  resolve(specifier, context, next) {
    const format = FORMATS[specifier.slice(-3) as keyof typeof FORMATS]
    if (!format || !specifier.startsWith('.') || !isOurs(context.parentURL)) return next(specifier, context)
    return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true }
  },
})

/** And not of a package below our folder. */
function isOurs(url = ''): boolean {
  return url.startsWith(ROOT) && !url.includes('/node_modules/', ROOT.length - 1)
}

const { main } = await import('./command/main.ts')
await main(process.argv.slice(2), process.env)
