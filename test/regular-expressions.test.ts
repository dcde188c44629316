import { expect, test, vi } from 'vitest'
import { contentSchema } from '../contract/content/schema.ts'
import { themeSchema } from '../contract/content/theme-schema.ts'
import { operations as dashboardOperations } from '../contract/dashboard/operations.ts'
import { operations as publicOperations } from '../contract/operations.ts'
import * as sdkOperations from '../contract/sdk/operations.ts'
import { buildDocument } from '../server/openapi/document.ts'
import { findSlowText, literalsBelow, patternsIn } from './support/regular-expressions.ts'

test('finds the texts that a regular expression is slow for', () => {
  for (const slow of [/0+$/, /^(\d+)+$/, /^\s*a?\s*$/, /^x[ab]*b*c$/, /\s*;/g])
    expect([slow, findSlowText(slow)]).toEqual([slow, expect.objectContaining({ growth: expect.any(Number) })])
  for (const fast of [/^0*$/, /^\d+$/, /\d/g, /^[a-z]+:[a-z]+$/, /\s/g])
    expect([fast, findSlowText(fast)]).toEqual([fast, undefined])
})

/** These meet texts of our own alone: documents, samples, schemas, and settings of who runs the program. */
const OWN_TEXTS =
  /^(server\/docs\/|dashboard\/parts\/code-block|server\/settings\/config-values|client\/src\/options|sdk\/src\/application)/
const OF_OUR_OWN_SCHEMAS = 'server/http/validation-messages.ts  or (?=.* or )'

const literals = ['contract', 'server', 'client/src', 'dashboard', 'sdk/src', 'demo'].flatMap((root) => [
  ...literalsBelow(root),
])
const schemas = [buildDocument(), publicOperations, dashboardOperations, sdkOperations, contentSchema, themeSchema]

test('every regular expression takes time in proportion to the text that it meets', async () => {
  const expressions = new Map([...literals, ...schemas.flatMap((each) => [...patternsIn(each)]), ...(await made())])
  expect(expressions.size).toBeGreaterThan(150)
  const met = [...expressions].filter(([place]) => !OWN_TEXTS.test(place) && place !== OF_OUR_OWN_SCHEMAS)
  const different = new Map(met.map(([place, expression]) => [String(expression), [place, expression] as const]))
  const slow = [...different.values()].map(([place, expression]) => ({ place, ...findSlowText(expression) }))
  expect(slow.filter(({ growth }) => growth)).toEqual([])
})

const MAKERS = [
  'contract/conditions/duration.ts',
  'contract/content/addresses.ts',
  'contract/content/templates.ts',
  'contract/datetime.ts',
  'contract/names.ts',
  'server/bulk/parse.ts',
  'server/sdk/proof.ts',
]

/** Those that are put together from parts when a file is loaded. */
async function made(): Promise<Map<string, RegExp>> {
  const found = new Map<string, RegExp>()
  const construct = (target: typeof RegExp, [source, flags]: [string, string?]) => {
    found.set(`new RegExp ${source}`, new target(source, flags))
    return new target(source, flags)
  }
  vi.stubGlobal('RegExp', new Proxy(RegExp, { construct }))
  // With a query the files are loaded once more.
  for (const file of MAKERS) await import(`../${file}?made`)
  vi.unstubAllGlobals()
  expect(found.size).toBeGreaterThan(6)
  return found
}
