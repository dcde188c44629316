import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { id, optional, optionalId, storable } from '../schema.ts'
import { Type } from '../type.ts'
import { closed, expand } from './fields.ts'

/** The bodies of requests about content and decisions. */

const expectedDraft = {
  expected_draft: optional<string>({
    ...storable,
    type: 'string',
    maxLength: 50,
    description:
      'The `revision` of the draft that the change was made from, or `new` for content that must not exist yet. 409 when it is another one.',
    examples: ['3.7'],
  }),
}

/** The check of the document requires it, which names all other problems too. */
const keyOf = (description: string, example: string) =>
  Type.Optional(Type.Unsafe<string>({ type: 'string', description, examples: [example] }))
const requiresKey = { 'x-states': { required: ['key'] } }

/** The document itself is checked by `documentProblems`, which says more than a schema can. */
export const SaveContent = Type.Object(
  {
    ...expectedDraft,
    key: keyOf('The key of the content.', 'maintenance'),
    expand,
  },
  {
    description:
      'A document by the schema at /schemas/content.json, with `expected_draft` and `expand` beside its fields.',
    examples: [
      {
        key: 'maintenance',
        type: 'banner',
        name: 'Maintenance',
        blocks: [{ text: 'We are down for an hour on Sunday.' }],
      },
    ],
    additionalProperties: true,
    ...requiresKey,
  },
)

export const insideChoices = ['finish', 'end', 'restart', 'restart_all'] as const
export type InsideChoice = (typeof insideChoices)[number]

export const PublishContent = Type.Object(
  {
    ...expectedDraft,
    version: optional<number>({
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      description: 'The number of an older version. The draft unless given.',
      examples: [2],
    }),
    inside: optional<InsideChoice>({
      type: 'string',
      enum: [...insideChoices, null],
      description:
        'What happens to users who are inside of the version before: they finish it, it ends, it starts again, or it starts again also for those who had completed it.',
      examples: ['finish'],
    }),
    description: optional<string>({
      ...storable,
      type: 'string',
      maxLength: 500,
      description: 'A note for the list of versions.',
      examples: [''],
    }),
    dry_run: optional<boolean>({ type: 'boolean', description: 'Only say what would happen.', examples: [true] }),
    expand,
  },
  closed('How to publish.', { dry_run: true }),
)

export const PushContent = Type.Object(
  {
    documents: Type.Array(
      Type.Unsafe<{ document: object; expected_draft?: string | null }>({
        type: 'object',
        description: 'A document, and the revision of the draft that it was made from.',
        required: ['document'],
        properties: {
          document: { type: 'object', description: 'By the schema at /schemas/content.json.', examples: [{}] },
          ...expectedDraft,
        },
        additionalProperties: false,
      }),
      {
        description: `At most ${limits.documentsPerPush}, each key once.`,
        minItems: 1,
        maxItems: limits.documentsPerPush,
        examples: [
          [
            {
              document: { key: 'maintenance', type: 'banner', name: 'Maintenance', blocks: [{ text: 'Sunday' }] },
              expected_draft: 'new',
            },
          ],
        ],
      },
    ),
    publish: optional<boolean>({ type: 'boolean', description: 'Also publish all of them.', examples: [false] }),
    dry_run: optional<boolean>({
      type: 'boolean',
      description: 'Only find out whether it would be refused: nothing is stored.',
      examples: [false],
    }),
  },
  closed('Many documents, for one transaction.', {
    documents: [
      { document: { key: 'maintenance', type: 'banner', name: 'Maintenance', blocks: [{ text: 'Sunday' }] } },
    ],
  }),
)

export const UnpublishContent = Type.Object({ expand }, closed('Nothing to say.', {}))

export const SaveTheme = Type.Object(
  { key: keyOf('Unique in its environment.', 'brand') },
  {
    description: 'The document of a theme. The same key again replaces it.',
    examples: [{ key: 'brand' }],
    additionalProperties: true,
    ...requiresKey,
  },
)

export const Decide = Type.Object(
  {
    user_id: id('The user.', 'u_1'),
    group_id: optionalId('The current group of the user. Its only one unless given.', 'g_1'),
    content: optional<string>({
      ...storable,
      type: 'string',
      maxLength: 64,
      description: 'Only this content, by its key. With `receipts` also one that is not published.',
      examples: ['first-report'],
    }),
    receipts: optional<boolean>({ type: 'boolean', description: 'Also say why, for each content.', examples: [true] }),
  },
  closed('For whom to decide.', { user_id: 'u_1', receipts: true }),
)

export type SaveContent = Static<typeof SaveContent>
export type PublishContent = Static<typeof PublishContent>
export type PushContent = Static<typeof PushContent>
export type Decide = Static<typeof Decide>
