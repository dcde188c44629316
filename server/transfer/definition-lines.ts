import type { Static } from 'typebox'
import { type AnyDataType, dataTypes, internalDataTypes } from '../../contract/attributes.ts'
import { scopes } from '../../contract/dashboard/definitions.ts'
import { givenText, oneOf } from '../../contract/dashboard/fields.ts'
import { dashboardLimits as limits } from '../../contract/dashboard/limits.ts'
import { writers } from '../../contract/dashboard/writers.ts'
import {
  ATTRIBUTE_NAME_PATTERN,
  ATTRIBUTE_NAME_RULE,
  EVENT_NAME_PATTERN,
  EVENT_NAME_RULE,
} from '../../contract/names.ts'
import { Type } from '../../contract/type.ts'
import type { Scope } from '../definitions/new-definitions.ts'
import { validator } from '../http/validation.ts'

/** Definitions in the files of an export: the names that were seen, with the types and the wording that objects do not hold. */

const wording = {
  display_name: Type.Optional(givenText(limits.displayNameCharacters, 1)),
  description: Type.Optional(givenText(limits.descriptionCharacters)),
}
const AttributeLine = Type.Object({
  scope: oneOf(scopes),
  name: Type.String({ pattern: ATTRIBUTE_NAME_PATTERN, 'x-rule': ATTRIBUTE_NAME_RULE }),
  data_type: oneOf([...dataTypes, ...internalDataTypes]),
  /** Only when a member has chosen it. */
  written_by: Type.Optional(oneOf(writers)),
  shown_unverified: Type.Optional(Type.Boolean()),
  ...wording,
})
const EventLine = Type.Object({
  name: Type.String({ pattern: EVENT_NAME_PATTERN, 'x-rule': EVENT_NAME_RULE }),
  ...wording,
})

const validate = { attribute: validator(AttributeLine, 'body'), event: validator(EventLine, 'body') }

export interface NameLine {
  name: string
  displayName: string | undefined
  description: string
}

export interface AttributeNameLine extends NameLine {
  scope: Scope
  dataType: AnyDataType
  writtenBy: (typeof writers)[number] | undefined
  shownUnverified: boolean
}

export type DefinitionLine = ({ of: 'attribute' } & AttributeNameLine) | ({ of: 'event' } & NameLine)

export function isDefinition(object: string): boolean {
  return object === 'attribute_definition' || object === 'event_definition'
}

/** Throws what is wrong with the line. */
export function readDefinition(object: string, given: object): DefinitionLine {
  const of = object === 'event_definition' ? 'event' : 'attribute'
  validate[of](given)
  const { name, display_name, description = '' } = given as Static<typeof EventLine>
  const words = { name, displayName: display_name, description }
  if (of === 'event') return { of, ...words }
  const { scope, data_type, written_by, shown_unverified = false } = given as Static<typeof AttributeLine>
  return { of, ...words, scope, dataType: data_type, writtenBy: written_by, shownUnverified: shown_unverified }
}
