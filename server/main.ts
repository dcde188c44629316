import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Before the first import: compiled code is cached next to the packages. Without the cache, stripping types and
// compiling takes 0.4 s of every start. A folder that cannot be written only costs this time. bin/usher.js has done
// this already; the command of the package @usher/server begins here.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/usher', import.meta.url)))

const { main } = await import('./command/main.ts')
await main(process.argv.slice(2), process.env)
