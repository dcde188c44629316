/** Every limit of the service, each written once. The OpenAPI document and the error messages take them from here. */
export const limits = {
  bodyBytes: 1024 * 1024,
  idCharacters: 255,
  attributeNameCharacters: 100,
  eventNameCharacters: 100,
  stringValueCharacters: 8192,
  attributesPerObject: 1000,
  groupsPerUpsert: 100,
  expandedObjects: 10_000,
  expandLevels: 4,
  listDefault: 10,
  listMaximum: 100,
  orderFields: 4,
  subscriptionsPerEnvironment: 100,
  topicsPerSubscription: 100,
  urlCharacters: 2048,
} as const
