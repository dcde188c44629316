import type { Static, TObject, TSchema } from 'typebox'
import { auditOperations } from './audit.ts'
import { contentOperations } from './content.ts'
import { definitionOperations } from './definitions.ts'
import { environmentOperations } from './environments.ts'
import { homeOperations } from './home.ts'
import { inPlaceOperations } from './in-place.ts'
import { installOperations } from './install.ts'
import { keyOperations } from './keys.ts'
import { liveOperations } from './live.ts'
import { memberOperations } from './members.ts'
import { objectOperations } from './objects.ts'
import type { OperationName, Path } from './paths.ts'
import { receiptOperations } from './receipts.ts'
import { resultOperations } from './results.ts'
import { searchOperations } from './search.ts'
import { segmentOperations } from './segments.ts'
import { sessionOperations } from './session.ts'
import { systemOperations } from './system.ts'
import { themeOperations } from './themes.ts'
import { eventOperations } from './timeline.ts'
import { usageOperations } from './usage.ts'
import { webhookOperations } from './webhooks.ts'

/**
 * Every operation of the dashboard's API: `paths.ts` with the schemas of query, body and response. The browser imports this
 * file as a type alone (`import type`), so that no schema is in its bundle. `Input` and `Output` are the parameters and the
 * result of a call.
 */
export const operations = {
  ...sessionOperations,
  ...environmentOperations,
  ...homeOperations,
  ...objectOperations,
  ...eventOperations,
  ...liveOperations,
  ...definitionOperations,
  ...contentOperations,
  ...inPlaceOperations,
  ...segmentOperations,
  ...receiptOperations,
  ...installOperations,
  ...themeOperations,
  ...resultOperations,
  ...webhookOperations,
  ...keyOperations,
  ...memberOperations,
  ...auditOperations,
  ...usageOperations,
  ...systemOperations,
  ...searchOperations,
} as const satisfies Record<OperationName, Path & { query?: TObject; body?: TObject; response: TSchema }>

export type Operations = typeof operations

type ParametersOf<Text extends string> = Text extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: string } & ParametersOf<`/${Rest}`>
  : Text extends `${string}:${infer Name}`
    ? { [Key in Name]: string }
    : unknown

export type PathInput<Name extends OperationName> = ParametersOf<Operations[Name]['path']>
export type QueryInput<Name extends OperationName> = Operations[Name] extends { query: infer Schema extends TSchema }
  ? Static<Schema>
  : unknown
export type BodyInput<Name extends OperationName> = Operations[Name] extends { body: infer Schema extends TSchema }
  ? Static<Schema>
  : unknown

/** What a call takes: the parameters of its path, its query and its body, in one object. */
export type Input<Name extends OperationName> = PathInput<Name> & QueryInput<Name> & BodyInput<Name>
/** What it answers. */
export type Output<Name extends OperationName> = Static<Operations[Name]['response']>
