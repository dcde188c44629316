import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Writes dist/esm and dist/cjs: the same code for `import` and for `require`, each with its types. */

const client = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

rmSync(client('dist'), { recursive: true, force: true })
for (const [format, module] of [
  ['esm', 'esnext'],
  ['cjs', 'commonjs'],
] as const) {
  const options = ['--outDir', client(`dist/${format}`), '--module', module, '--moduleResolution', 'bundler']
  execFileSync(process.execPath, [tsc, '--checkers', '1', '--project', client('tsconfig.build.json'), ...options], {
    stdio: 'inherit',
  })
}
// The compiler rewrites the extensions of imports in code, not in declarations.
for (const file of globSync('dist/**/*.d.ts', { cwd: client('.') }).map(client)) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}
writeFileSync(client('dist/cjs/package.json'), '{ "type": "commonjs" }\n')
copyFileSync(client('../LICENSE'), client('LICENSE'))
