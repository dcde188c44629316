import { call } from '../api.ts'
import { queryClient } from '../query-client.ts'
import type { Edit } from './definition-columns.tsx'
import type { AttributeDefinition } from './queries.ts'

export async function changeEventDefinition(environment: string, definition_id: string, edit: Edit): Promise<void> {
  await call('updateEventDefinition', { environment, definition_id, ...edit })
  await reload(environment)
}

export type AttributeEdit = Edit & Partial<Pick<AttributeDefinition, 'written_by' | 'shown_unverified'>>

export async function changeAttributeDefinition(
  environment: string,
  definition_id: string,
  edit: AttributeEdit,
): Promise<void> {
  await call('updateAttributeDefinition', { environment, definition_id, ...edit })
  await reload(environment)
}

const KEYS = ['event-definitions', 'event-definition', 'attribute-definitions', 'attribute-definition']

async function reload(environment: string): Promise<void> {
  await Promise.all(KEYS.map((key) => queryClient.invalidateQueries({ queryKey: [environment, key] })))
}
