import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/usher-pictures/', import.meta.url))

/** Keeps a picture of the page, when pictures are asked for by `USHER_PICTURES=all`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.USHER_PICTURES) return
  await mkdir(FOLDER, { recursive: true })
  await page.screenshot({ path: `${FOLDER}${name.replaceAll(/\W+/g, '-')}.png` })
}
