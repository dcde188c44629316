/** Every limit of the service, each written once. The OpenAPI document and the error messages take them from here. */
export const limits = {
  bodyBytes: 1024 * 1024,
  idCharacters: 255,
  attributeNameCharacters: 100,
  eventNameCharacters: 100,
  stringValueCharacters: 8192,
  attributesPerObject: 1000,
  attributesBytes: 256 * 1024,
  groupsPerUpsert: 100,
  expandedObjects: 10_000,
  expandedBytes: 32 * 1024 * 1024,
  expandLevels: 4,
  queryParameters: 100,
  orderedCharacters: 256,
  timeCharacters: 64,
  listDefault: 10,
  listMaximum: 100,
  subscriptionsPerEnvironment: 100,
  topicsPerSubscription: 100,
  urlCharacters: 2048,
  secretOverlapSeconds: 604_800,
  secretsPerSubscription: 5,
  reportsPerRequest: 200,
  operationsPerBatch: 1000,
  batchBodyBytes: 10 * 1024 * 1024,
  batchAnswerBytes: 64 * 1024 * 1024,
  conditionLevels: 8,
  conditionLeaves: 100,
  valuesPerLeaf: 100,
  eventLeafTimes: 1000,
  eventLeafAttributes: 5,
  eventsLookedAt: 10_000,
  locatorCharacters: 500,
  expandedLeaves: 1000,
  conditionBytes: 64 * 1024,
  segmentsPerEnvironment: 200,
  documentBytes: 64 * 1024,
  contentPerEnvironment: 500,
  publishedPerEnvironment: 100,
  themesPerEnvironment: 50,
  documentsPerPush: 500,
  stepsPerFlow: 50,
  tasksPerChecklist: 10,
  blocksPerStep: 8,
  buttonsPerStep: 3,
} as const

export type LimitName = keyof typeof limits

/** What each limit is about, and what it allows at its edge. */
export const limitMeanings: Record<LimitName, { description: string; example: string }> = {
  bodyBytes: {
    description: 'The bytes of a request body.',
    example: 'A body of 1,048,576 bytes is read; one more is a 413.',
  },
  idCharacters: {
    description: 'The characters of an id: any Unicode but control characters, at least one.',
    example: 'u_1',
  },
  attributeNameCharacters: {
    description: 'The characters of an attribute name: a-z, A-Z, 0-9, underscore, dash and space, at least one.',
    example: 'signed_up_at',
  },
  eventNameCharacters: {
    description: 'The characters of an event name: a-z, A-Z, 0-9, underscore, dash and space, at least one.',
    example: 'subscription_activated',
  },
  stringValueCharacters: {
    description: 'The characters of an attribute value that is a string: no NUL and no lone surrogate.',
    example: 'Ada Lovelace',
  },
  attributesPerObject: {
    description: 'The attributes of one object, counted after the merge.',
    example: 'An object with 1,000 attributes takes another once one of them is removed with null.',
  },
  attributesBytes: {
    description:
      'The bytes of the attributes of one object as JSON, counted after the merge. An object that has more from before can be changed as long as it does not grow.',
    example: 'An object takes 32 strings of 8,192 ASCII characters once another is removed with null.',
  },
  groupsPerUpsert: {
    description: 'The groups, or memberships, of one upsert; each group once.',
    example: 'A user of 150 groups is written with two requests.',
  },
  expandedObjects: {
    description:
      'The objects that one response expands. Over that the request is refused, never cut short. A write is refused before anything is stored; when others push its answer over the limit after that, it is answered unexpanded.',
    example: 'A group of 20,000 members is listed with GET /users?group_id=g_1 instead of expand=users.',
  },
  expandedBytes: {
    description: 'The bytes of the attributes of the objects that one response expands, each time that they are shown.',
    example: 'A page of 100 users that share 10 groups of 100,000 bytes is asked for with limit=20.',
  },
  expandLevels: { description: 'The levels of a path of `expand`.', example: 'memberships.group.memberships.user' },
  queryParameters: {
    description: 'The parameters of a query, each value of a list counted. A path in a batch has the same limit.',
    example: 'GET /users?expand=groups&expand=memberships has two.',
  },
  orderedCharacters: {
    description:
      'The characters of a text that `order_by` compares, by code point. Texts that are equal up to there are ordered by id.',
    example: 'Two names that differ from the 257th character on count as equal, and the smaller id comes first.',
  },
  timeCharacters: {
    description: 'The characters of a date-time outside of attributes, such as the `time` of an event.',
    example: '2026-01-03T09:29:58.123456789+05:30',
  },
  listDefault: { description: 'The objects of a page when `limit` is absent.', example: 'GET /users' },
  listMaximum: { description: 'The objects of a page at most; at least 1.', example: 'GET /users?limit=100' },
  subscriptionsPerEnvironment: {
    description: 'The webhook subscriptions of one environment.',
    example: 'The 101st is refused until one is deleted.',
  },
  topicsPerSubscription: {
    description: 'The topics of one webhook subscription; duplicates collapse.',
    example: 'The topic event.tracked replaces any number of event.tracked.<name>.',
  },
  urlCharacters: {
    description: 'The characters of the URL of a webhook subscription.',
    example: 'https://example.com/hooks',
  },
  secretOverlapSeconds: {
    description: 'The seconds for which an old secret of a webhook subscription may still sign after a rotation.',
    example: '86400 is a day, and the default; 0 ends the old secret at once.',
  },
  secretsPerSubscription: {
    description: 'The secrets of one webhook subscription that sign at the same time, the newest included.',
    example: 'A fifth rotation is refused while four old secrets are still valid.',
  },
  reportsPerRequest: {
    description: 'The reports of one request about a content session.',
    example: 'A page that was offline for long sends its reports in several requests.',
  },
  operationsPerBatch: {
    description: 'The operations of one batch.',
    example: 'A batch of 1,000 operations is carried out; one more is a 400.',
  },
  batchBodyBytes: {
    description: 'The bytes of the body of a batch.',
    example: 'A body of 10,485,760 bytes is read; one more is a 413.',
  },
  batchAnswerBytes: {
    description:
      'The bytes of all answers of one batch; and about the bytes of all attributes that an atomic one writes, each time that an operation changes them.',
    example: 'A batch of 1,000 upserts of users of 256 KiB carries out 255 of them; the others are a 413 each.',
  },
  conditionLevels: {
    description: 'The levels of a condition: groups within groups, and the leaves in the last.',
    example: '{ "all": [{ "not": { "event": "report_exported" } }] } has three levels.',
  },
  conditionLeaves: {
    description: 'The leaves of a condition.',
    example: 'A larger condition uses segments, each with leaves of its own.',
  },
  valuesPerLeaf: { description: 'The values of one_of and none_of.', example: '"values": ["growth", "scale"]' },
  eventLeafTimes: {
    description: 'The greatest at_least and at_most of an event leaf: so many entries of an index are read.',
    example: '{ "event": "task_completed", "at_least": 3, "within": "7d" }',
  },
  eventLeafAttributes: {
    description: 'The attribute leaves in the where of an event leaf.',
    example: '"where": [{ "attribute": "format", "is": "equals", "value": "pdf" }]',
  },
  eventsLookedAt: {
    description:
      'The events, newest first, that the where of an event leaf looks at. Beyond that its outcome is unknown.',
    example: 'A user has 20,000 report_opened, and none of the newest 10,000 has the format pdf: unknown.',
  },
  locatorCharacters: { description: 'The characters of a locator of an element.', example: 'testid=export' },
  conditionBytes: {
    description: 'The bytes of a condition, as JSON text without spaces.',
    example: 'one_of with 100 values of 600 characters each.',
  },
  expandedLeaves: {
    description: 'The leaves of a condition together with those of the segments that it refers to.',
    example: 'Ten segments of 100 leaves each.',
  },
  segmentsPerEnvironment: {
    description: 'The segments of one environment.',
    example: 'The 201st is refused until one is deleted.',
  },
  documentBytes: {
    description: 'The bytes of the document of a content, as JSON text without spaces.',
    example: 'A flow of 50 steps has room for 1,300 bytes in each.',
  },
  contentPerEnvironment: {
    description: 'The content of one environment, drafts included.',
    example: 'The 501st is refused until one is deleted.',
  },
  publishedPerEnvironment: {
    description: 'The published content of one environment.',
    example: 'The 101st is published after one is unpublished.',
  },
  themesPerEnvironment: { description: 'The themes of one environment.', example: 'The 51st is refused.' },
  documentsPerPush: {
    description: 'The documents of one push.',
    example: 'A folder with all contents of an environment is one push.',
  },
  stepsPerFlow: { description: 'The steps of a flow; at least one.', example: 'A longer tour is two flows.' },
  tasksPerChecklist: { description: 'The tasks of a checklist; at least one.', example: 'Ten tasks.' },
  blocksPerStep: {
    description: 'The blocks of a step or a banner.',
    example: 'A heading, a text, a picture and a question.',
  },
  buttonsPerStep: { description: 'The buttons of a step or a banner.', example: 'Back, Not now and Next.' },
}
