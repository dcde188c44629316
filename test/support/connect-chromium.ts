import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

/** A connection to the Chromium of all test files. Closing it closes the windows that were opened through it. */
export async function connectChromium(): Promise<Browser> {
  const response = await fetch(inject('chromium'))
  const answer = await response.text()
  if (!response.ok) throw new Error(answer)
  return await chromium.connect(answer)
}
