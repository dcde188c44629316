import { takeEditToken } from './edit/fragment.ts'
import { methods } from './method-table.ts'
import { addStubs, refuseCalls, type StubbedUsher, takeCalls } from './stub.ts'

/** By its name, the file of each part and its hash. Written by the build. */
declare const FILES: Record<string, [file: string, integrity: string]>

/** The parts that the first tooltip needs. */
declare const FIRST: readonly string[]

// The build writes the table where its name stands: once.
const files = FILES

/** How often the script is tried to be loaded, with growing pauses between. */
const TRIES = 5

/** What lets a script run on a page whose policy names no address. What we load needs the same. */
let nonce = ''

/**
 * `usher.js`: small, and asked for often. It offers the methods at once and loads the rest, whose files have hashes in their
 * names. A second copy on a page finds the first one and does nothing.
 */
function load(): void {
  const editToken = takeEditToken()
  const page = window as { usher?: Partial<StubbedUsher> }
  // An element with this id or name is a property of the window as well, but not one of its own.
  if (!Object.hasOwn(page, 'usher') || !page.usher) page.usher = { _q: [] }
  const usher = page.usher
  if (usher._loaded) return
  // Something of the page itself, whose methods it needs.
  if (!usher._q && Object.keys(methods).some((name) => name in usher)) {
    console.warn('usher: the page has another one')
    return
  }
  usher._loaded = true
  const stubbed = addStubs(usher, () => {})
  const { currentScript } = document
  // An image or a form of this name, which somebody may have put into the page, takes its place.
  const isOwn = currentScript instanceof HTMLScriptElement
  if (isOwn) nonce = currentScript.nonce
  const base = (isOwn && currentScript.src) || `${location.origin}/sdk/usher.js`
  const attempt = (number: number) => {
    const failed = () => {
      if (number < TRIES) setTimeout(() => attempt(number + 1), 1000 * 3 ** number)
      else refuseCalls(stubbed, 'the script could not be loaded')
    }
    // Chromium never asks again for the address of a module that it could not load: each try has a folder of its own.
    const folder = new URL(number > 1 ? `${number}/` : '.', base)
    const verifyPart = (part: string, query: string) => verify(part, folder, query)
    // Only what could not be loaded is tried again: a second start would take the place of the first one.
    importCore(folder)
      .then(({ start }) => start(stubbed, { methods, takeCalls, base, editToken, verify: verifyPart }), failed)
      .catch(() => refuseCalls(stubbed, 'the script could not be started'))
  }
  attempt(1)
}

function importCore(folder: URL): Promise<typeof import('./core.ts')> {
  const [core] = FIRST.map((part) => verify(part, folder))
  return import(/* @vite-ignore */ core as string)
}

/**
 * A preload with a hash: the browser takes the file into its module map only if its bytes fit, and `import` of the returned
 * address reads from there.
 */
function verify(part: string, folder: URL, query = ''): string {
  const [file, integrity] = files[part] as [string, string]
  const { href } = new URL(file + query, folder)
  const link = document.createElement('link')
  // A part is asked for each time that it is needed: what has arrived leaves nothing in the page.
  const onload = () => link.remove()
  Object.assign(link, {
    rel: 'modulepreload',
    href,
    integrity,
    nonce,
    crossOrigin: 'anonymous',
    onload,
    onerror: onload,
  })
  document.head?.append(link)
  return href
}

try {
  load()
} catch {
  // The page does not notice.
}
