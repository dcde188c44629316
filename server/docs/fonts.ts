import { existsSync, readdirSync } from 'node:fs'

const FOLDER = new URL('../../dashboard/dist/assets/', import.meta.url)
const FAMILIES = { inter: 'Inter Variable', 'geist-mono': 'Geist Mono Variable' }

/** The type of the dashboard, from its built files. Without them the site has the type of the system. */
export function fontFaces(): string {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER) : []
  const faces = Object.entries(FAMILIES).flatMap(([name, family]) =>
    files
      .filter((file) => file.startsWith(`${name}-latin-wght-normal-`) && file.endsWith('.woff2'))
      .map(
        (file) =>
          `@font-face { font-family: "${family}"; font-display: swap; font-weight: 100 900; src: url("/app/assets/${file}") format("woff2"); }\n`,
      ),
  )
  return faces.join('')
}
