import type { BrowserServer } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { onDemand } from './on-demand.ts'

/**
 * One Chromium for all test files: a start takes 2 s of CPU time. It starts when the first file asks for its address, and
 * again after it has crashed.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let launched: Promise<BrowserServer> | undefined
  const { url, close } = await onDemand(async () => {
    launched ??= launch(() => (launched = undefined))
    return (await launched).wsEndpoint()
  })
  project.provide('chromium', url)
  return async () => {
    close()
    await (await launched?.catch(() => undefined))?.close()
  }
}

async function launch(onClose: () => void): Promise<BrowserServer> {
  // Only now: the import takes 0.3 s, and most runs of single files need no browser.
  const { launchChromium } = await import('./chromium.ts')
  const chromium = await launchChromium()
  chromium.on('close', onClose)
  return chromium
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers the address of the Chromium of all test files. */
    chromium: string
  }
}
