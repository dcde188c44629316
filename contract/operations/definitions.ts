import type { Operation } from '../operation.ts'
import { ListAttributeDefinitionsQuery, ListEventDefinitionsQuery } from '../queries.ts'

export const definitionOperations = {
  listAttributeDefinitions: {
    method: 'GET',
    path: '/attribute_definitions',
    tag: 'Definitions',
    summary: 'List attribute definitions',
    description:
      'Returns a page of the attribute names that have been seen on users and events. With `scope=group` it has those of groups, with `scope=group_membership` those of memberships.',
    query: ListAttributeDefinitionsQuery,
    response: 'AttributeDefinitionList',
  },
  listEventDefinitions: {
    method: 'GET',
    path: '/event_definitions',
    tag: 'Definitions',
    summary: 'List event definitions',
    description: 'Returns a page of the event names that have been seen.',
    query: ListEventDefinitionsQuery,
    response: 'EventDefinitionList',
  },
} as const satisfies Record<string, Operation>
