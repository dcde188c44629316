import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** The files of React as they are published, each in a function, so that nothing has to be bundled. */
const FILES: Record<string, string> = {
  react: 'react.production.js',
  scheduler: 'scheduler.production.js',
  'react-dom': 'react-dom.production.js',
  'react-dom/client': 'react-dom-client.production.js',
}

/** A script that puts `React` and `ReactDOM` on the page. */
export function reactScript(): string {
  const modules = Object.entries(FILES).map(([name, file]) => {
    const folder = dirname(require.resolve(`${name.split('/')[0]}/package.json`))
    const code = readFileSync(join(folder, 'cjs', file), 'utf8')
    return `${JSON.stringify(name)}: (module, exports, require) => {${code}\n}`
  })
  return `<script>{
    const files = { ${modules.join(',\n')} }
    const made = {}
    const process = { env: {} }
    const load = (name) => {
      if (made[name]) return made[name].exports
      const module = (made[name] = { exports: {} })
      files[name](module, module.exports, load)
      return module.exports
    }
    Object.assign(window, { React: load('react'), ReactDOM: load('react-dom/client') })
  }</script>`
}
