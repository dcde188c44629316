import type { TestProject } from 'vitest/node'
import { headlessChromium } from './chromium.ts'
import { onDemand } from './on-demand.ts'

/** Chromium is installed, where it is missing, when the first test file asks where it is. */
export default async function setup(project: TestProject): Promise<() => void> {
  const { url, close } = await onDemand(async () => headlessChromium())
  project.provide('chromium', url)
  return close
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers the path of the Chromium of the tests. */
    chromium: string
  }
}
