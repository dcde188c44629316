import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'
import { askFor } from './on-demand.ts'

/** A connection to the Chromium of all test files. Closing it closes the windows that were opened through it. */
export async function connectChromium(): Promise<Browser> {
  return await chromium.connect(await askFor(inject('chromium')))
}
