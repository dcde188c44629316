import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** Keeps a picture of the page in the folder that `USHER_PICTURES_IN` names. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.USHER_PICTURES_IN
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}
