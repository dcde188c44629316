import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HostPage {
  html: string
  headers?: Record<string, string>
}

/** Pages of somebody else's application, on an origin of their own. Every path shows the page that was set last. */
export async function startHostPages() {
  let page: HostPage = { html: '' }
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers }).end(page.html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    show: (next: HostPage) => {
      page = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type HostPages = Awaited<ReturnType<typeof startHostPages>>
