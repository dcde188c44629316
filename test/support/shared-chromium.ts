import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserServer } from 'playwright-core'
import type { TestProject } from 'vitest/node'

/**
 * One Chromium for all test files: a start takes 2 s of CPU time. It starts when the first file asks for its address, and
 * again after it has crashed.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let launched: Promise<BrowserServer> | undefined
  const server = createServer((_, response) => {
    launched ??= launch(() => (launched = undefined))
    launched.then(
      (chromium) => response.end(chromium.wsEndpoint()),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  project.provide('chromium', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return async () => {
    server.close()
    server.closeAllConnections()
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
