import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import manifest from '../package.json' with { type: 'json' }
import { isScriptBuilt } from './is-built.ts'

/**
 * Builds the browser script into sdk/dist, which the server serves at /sdk/ and the package contains. Run by npm at the end of
 * an installation. A published server has the built files and none of the tools, and is left as it is.
 */
const say = (text: string) => process.stdout.write(`${text}\n`)
const folder = fileURLToPath(new URL('.', import.meta.url))
const out = `${folder}dist/`
/** The oldest browsers of README.md: they have constructed style sheets, `:modal`, `color-mix()` and `dvh`. */
const TARGET = ['chrome111', 'firefox113', 'safari16.4']

/** `methods.ts` has only types, and is its own declaration. */
const DECLARATION = `import type { Usher } from './methods.js'

export type * from './methods.js'
declare const usher: Usher
export default usher
`

try {
  if (await isScriptBuilt()) say('The browser script is built.')
  else await build()
} catch (error) {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
  if (!isMissing) throw error
  if (!existsSync(`${out}usher.js`))
    say('The browser script is not built, because the development packages are not installed.')
}

async function build(): Promise<void> {
  process.env.NODE_ENV = 'production'
  const begun = Date.now()
  // The loader and its compressed form are written last: they tell that all is built.
  rmSync(out, { recursive: true, force: true })
  await bundle({ core: 'src/core.ts', index: 'src/index.ts' }, 'es')
  await bundle({ preview: 'src/preview.ts' }, 'iife')
  await bundle({ locate: 'src/locate.ts' }, 'iife')
  copyFileSync(`${folder}preview.html`, `${out}preview.html`)
  copyFileSync(`${folder}src/methods.ts`, `${out}methods.d.ts`)
  writeFileSync(`${out}index.d.ts`, DECLARATION)
  await bundle({ usher: 'src/loader.ts' }, 'iife', {
    FILES: JSON.stringify(hashedFiles()),
    FIRST: JSON.stringify(firstParts()),
  })
  compress()
  say(`Built the browser script in ${((Date.now() - begun) / 1000).toFixed(1)} s.`)
}

async function bundle(
  input: Record<string, string>,
  format: 'es' | 'iife',
  define: Record<string, string> = {},
): Promise<void> {
  const { build: run } = await import('vite')
  await run({
    configFile: false,
    root: folder,
    logLevel: 'error',
    publicDir: false,
    define: { VERSION: JSON.stringify(manifest.version), ...define },
    plugins: [{ name: 'one-line-styles', transform: inOneLine }],
    build: {
      outDir: out,
      emptyOutDir: false,
      target: TARGET,
      sourcemap: true,
      reportCompressedSize: false,
      // A library: imports stay plain imports, without the helper that pages of Vite have.
      lib: { entry: input, formats: [format], name: 'usherScript' },
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: {
          minify: true,
          // Annotations for bundlers took 57 bytes of the first tooltip, compressed.
          comments: false,
          entryFileNames: ({ name }) => (name === 'core' ? '[name]-[hash].js' : '[name].js'),
          chunkFileNames: '[name]-[hash].js',
          ...(format === 'es' && {
            codeSplitting: {
              includeDependenciesRecursively: false,
              // What parts share stays in the core, which is loaded before them: one file for the first tooltip. Left to the
              // bundler, it becomes up to three files, which take 400 to 1,100 bytes more.
              groups: [{ name: (id: string, modules: Modules) => (isOfCore(id, modules) ? 'core' : null) }],
            },
          }),
        },
      },
    },
  })
}

/** The rules of a style sheet stand in lines of their own for readers. These took 30 bytes of the first tooltip, compressed. */
function inOneLine(code: string, id: string): { code: string; map: null } | null {
  return id.endsWith('styles.ts') ? { code: code.replace(/([{}])\n/g, '$1'), map: null } : null
}

interface Modules {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

/** Whether the core imports it, itself or by what it imports. Parts are imported by `import()`, which does not count. */
function isOfCore(id: string, modules: Modules): boolean {
  const seen = new Set<string>()
  const leadsToCore = (one: string): boolean => {
    if (one.endsWith('/sdk/src/core.ts')) return true
    if (seen.has(one)) return false
    seen.add(one)
    return modules.getModuleInfo(one)?.importers.some(leadsToCore) ?? false
  }
  return leadsToCore(id)
}

/** By its name, the file of each part and the hash that a browser checks it by. */
function hashedFiles(): Record<string, [file: string, integrity: string]> {
  const hashed = readdirSync(out).flatMap((file) => {
    const name = /^([a-z-]+)-[\w-]{8}\.js$/.exec(file)?.[1]
    return name ? [{ name, file }] : []
  })
  return Object.fromEntries(hashed.map(({ name, file }) => [name, [file, integrityOf(file)]]))
}

/** The core and what it imports: the loader asks for all of it at once. */
function firstParts(): string[] {
  const core = readdirSync(out).find((name) => /^core-[\w-]{8}\.js$/.test(name)) as string
  const imports = readFileSync(out + core, 'utf8').matchAll(/from"\.\/([a-z-]+)-[\w-]{8}\.js"/g)
  return ['core', ...[...imports].map(([, name]) => name as string)]
}

function integrityOf(file: string): string {
  return `sha256-${createHash('sha256')
    .update(readFileSync(out + file))
    .digest('base64')}`
}

function compress(): void {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  // In the order of their names, by which the loader is the last.
  const files = readdirSync(out).filter((name) => /\.(js|html)$/.test(name))
  for (const file of files.sort())
    writeFileSync(`${out}${file}.br`, brotliCompressSync(readFileSync(out + file), quality))
}
