import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { isBuilt } from './is-built.ts'

/**
 * Builds the dashboard into dashboard/dist, which the server serves at /app/. Run by npm at the end of an installation. The
 * first `npx usher` in a checkout runs it too, because npx installs the checkout as a link: what is built from the current
 * sources stays in place, because a running server serves it. A published package has the built files and none of the
 * tools, and is left as it is.
 */
const say = (text: string) => process.stdout.write(`${text}\n`)
const folder = fileURLToPath(new URL('.', import.meta.url))

try {
  if (await isBuilt()) say('The dashboard is built.')
  else await build()
} catch (error) {
  const missing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
  if (!missing) throw error
  if (!existsSync(`${folder}dist/index.html`)) {
    say(
      'The dashboard is not built, because the development packages are not installed. Run npm ci without --omit=dev.',
    )
  }
}

async function build(): Promise<void> {
  // Always production, whatever is set here (vitest sets it): otherwise React's larger development build is used.
  process.env.NODE_ENV = 'production'
  const { build: bundle } = await import('vite')
  say('Building the dashboard (a few seconds)…')
  const begun = Date.now()
  await bundle({ configFile: `${folder}vite.config.ts`, logLevel: 'error' })
  const seconds = ((Date.now() - begun) / 1000).toFixed(1)
  say(`Built the dashboard in ${seconds} s: ${await compressedScripts()} KB of compressed script in all.`)
}

async function compressedScripts(): Promise<number> {
  const names = (await readdir(`${folder}dist/assets`)).filter((name) => name.endsWith('.js'))
  const files = await Promise.all(names.map((name) => readFile(`${folder}dist/assets/${name}`)))
  return Math.round(files.reduce((sum, file) => sum + gzipSync(file).length, 0) / 1024)
}
