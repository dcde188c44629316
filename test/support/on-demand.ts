import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OnDemand {
  /** Where test files ask for it. */
  url: string
  close(): void
}

/** Something that all test files share and that is made when the first of them asks for it: most runs of single files need none. */
export async function onDemand(get: () => Promise<string>): Promise<OnDemand> {
  const server = createServer((_, response) => {
    get().then(
      (answer) => response.end(answer),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

export async function askFor(url: string): Promise<string> {
  const response = await fetch(url)
  const answer = await response.text()
  if (!response.ok) throw new Error(answer)
  return answer
}
