import { once } from '../http/once.ts'
import { buildDocument } from '../openapi/document.ts'
import { Assets } from './assets.ts'
import { Site } from './site.ts'

/** The OpenAPI document and the documentation site. Each part is made when it is first asked for. */
export type DocsContent = ReturnType<typeof createContent>

export function createContent(address: string) {
  const document = once(() => buildDocument(address))
  const openapi = once(() => JSON.stringify(document()))
  const assets = new Assets(() => JSON.stringify(site().sections()))
  const site = once(() => new Site(document(), (name) => assets.address(name)))
  return { openapi, page: (slug: string) => site().page(slug), assets }
}
