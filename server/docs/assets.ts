import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { VERSION } from '../version.ts'
import { fontFaces } from './fonts.ts'

const { resolve } = createRequire(import.meta.url)

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
}

export interface Asset {
  type: string
  text: string
}

/** The files of the site. Each URL has a hash of the content, so that browsers cache it forever. */
export class Assets {
  readonly #made = new Map<string, Asset & { mark: string }>()
  readonly #make: Record<string, () => string>

  constructor(search: () => string) {
    const own = (name: string) => () => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
    this.#make = {
      'site.css': () => fontFaces() + own('site.css')(),
      'site.js': own('site.js'),
      'theme.js': own('theme.js'),
      'mark.svg': own('mark.svg'),
      'minisearch.js': () => readFileSync(join(dirname(resolve('minisearch')), '../umd/index.js'), 'utf8'),
      'search.json': search,
    }
  }

  address(name: string): string {
    return `/docs/assets/${name}?${this.mark(name)}`
  }

  /** The search index is made from all pages, so its URL has the version of the server instead of a hash. */
  mark(name: string): string | undefined {
    return name === 'search.json' ? VERSION : this.get(name)?.mark
  }

  get(name: string): (Asset & { mark: string }) | undefined {
    const known = this.#made.get(name)
    if (known) return known
    const make = Object.hasOwn(this.#make, name) ? this.#make[name] : undefined
    if (!make) return undefined
    const text = make()
    const mark = createHash('sha256').update(text).digest('base64url').slice(0, 10)
    const made = { text, mark, type: types[name.split('.').at(-1) as string] as string }
    this.#made.set(name, made)
    return made
  }
}
