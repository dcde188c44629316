import { contentSchema } from '../../contract/content/schema.ts'
import { themeSchema } from '../../contract/content/theme-schema.ts'
import { errors } from '../errors.ts'
import { JSON_TYPE } from '../http/exchange.ts'
import { pathOf, type Router } from '../http/router.ts'

/** The JSON Schemas of documents, for editors. They need no key, and pages of any origin may read them. */
export function addSchemas(router: Router): void {
  // Open as the schemas are: who has a wrong address learns that, and not that a key is missing.
  router.add('GET', '/schemas/*', {
    answer: ({ method, url }) => {
      throw errors.unknownUrl(method, pathOf(url).slice(0, 200))
    },
  })
  const headers = {
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
  }
  for (const [name, schema] of Object.entries({ content: contentSchema, theme: themeSchema })) {
    let text: string | undefined
    router.add('GET', `/schemas/${name}.json`, {
      answer: async (exchange) => {
        text ??= JSON.stringify(schema)
        exchange.setHeaders(headers)
        exchange.send(200, JSON_TYPE, text)
      },
    })
  }
}
