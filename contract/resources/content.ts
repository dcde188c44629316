import { contentTypes, questionKinds } from '../content/document.ts'
import { addition } from '../schema.ts'
import { Type } from '../type.ts'
import { manyOf, nullable, object, ref, resource, text, time } from './fields.ts'

/** Content, its versions, and what publishing and deciding answer. */

const ID = '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'
const id = text('Identifier.', ID)
const expandedOne = (name: string, path: string) =>
  nullable(ref(name), `Null unless expanded with \`expand=${path}\`, or when there is none.`)
const type = Type.Unsafe<string>({ type: 'string', enum: contentTypes, description: 'The kind.', examples: ['flow'] })

export const Content = resource('A flow, a checklist, a banner or a launcher.', {
  id,
  object: object('content'),
  created_at: time('When it was first saved.'),
  draft_version: expandedOne('ContentVersion', 'draft_version'),
  draft_version_id: text('The version that can change. It is the published one until it is edited.', ID),
  key: addition(text('Unique in its environment, and the same in all environments.', 'first-report')),
  name: text('What your team calls it.', 'First report'),
  published_version: expandedOne('ContentVersion', 'published_version'),
  published_version_id: nullable(Type.String(), 'The version that users see; null when it is not published.', ID),
  type,
})

export const ContentVersion = resource('A state of a content.', {
  id,
  object: object('content_version'),
  content: expandedOne('Content', 'content'),
  content_id: addition(text('The content that it is a version of.', ID)),
  created_at: time('When it was begun.'),
  description: text('The note of who published it.', ''),
  document: addition(
    nullable(
      Type.Unsafe<object>({ type: 'object' }),
      'The document, by the schema at /schemas/content.json. Null unless expanded with `expand=document`.',
    ),
  ),
  edited_at: time('When it was last edited.'),
  number: Type.Integer({ description: 'Counts the versions of the content, from 1.', examples: [3] }),
  published_at: addition(nullable(Type.String(), 'When it was first published; it does not change any more then.')),
  questions: manyOf('Question', 'questions'),
  revision: addition(
    text(
      'Changes with each edit: the number of the version and of the edit. It is what `expected_draft` names.',
      '3.7',
    ),
  ),
  tasks: manyOf('Task', 'tasks'),
})

export const Question = resource('A question of a version.', {
  id,
  object: object('question'),
  cvid: text('The same question in every version.', 'ease'),
  name: text('What is asked.', 'How easy was that?'),
  type: Type.Unsafe<string>({ type: 'string', enum: questionKinds, description: 'Its kind.', examples: ['nps'] }),
})

export const Task = resource('A task of a version of a checklist.', {
  id,
  object: object('task'),
  cvid: text('The same task in every version.', 'invite'),
  name: text('What is to be done.', 'Invite your team'),
})

export const Theme = resource('How widgets look. A change counts at once.', {
  id,
  object: object('theme'),
  created_at: time('When it was first saved.'),
  document: Type.Unsafe<object>({
    type: 'object',
    description: 'Its colours, corners, font and shadow.',
    examples: [{}],
  }),
  edited_at: time('When it was last saved.'),
  key: text('Unique in its environment.', 'default'),
  name: text('What your team calls it.', 'Default'),
})

const problems = (description: string) =>
  Type.Array(
    Type.Object(
      { param: text('The path in the document.', 'steps[1].blocks'), message: text('What is wrong.', 'has no blocks') },
      { additionalProperties: false, description: 'A place in the document.' },
    ),
    { description, examples: [[]] },
  )

const reached = Type.Object(
  {
    count: Type.Integer({ description: 'How many users.', examples: [12] }),
    exact: Type.Boolean({
      description: 'False: an estimate, since there are too many users to look at all.',
      examples: [true],
    }),
    samples: Type.Array(
      Type.Object(
        { user_id: text('A user.', 'u_1'), sentence: text('Why.', 'Shown: everybody sees it') },
        { additionalProperties: false, description: 'One of them.' },
      ),
      { description: 'Some of them, with the reason.', examples: [[]] },
    ),
  },
  { additionalProperties: false, description: 'Users whose answer changes.' },
)

export const PublishPlan = resource('What publishing would do. Nothing is changed.', {
  object: object('publish_plan'),
  changes: Type.Array(Type.String(), { description: 'What changes, in words.', examples: [['+ step thanks']] }),
  content_id: id,
  expected_draft: text('Publish with this, and it is refused when the draft changes meanwhile.', '3.7'),
  gains: reached,
  inside: Type.Integer({
    description: 'How many users are inside of the published version now, and have not completed it.',
    examples: [3],
  }),
  losses: reached,
  problems: problems('What keeps it from being published.'),
  samples: Type.Array(
    Type.Object(
      {
        user_id: text('A user.', 'u_1'),
        change: Type.Unsafe<string>({
          type: 'string',
          enum: ['gains', 'losses'],
          description: 'Whether the user newly matches, or no longer does.',
          examples: ['gains'],
        }),
        sentence: text('Why.', 'Shown: everybody sees it'),
      },
      { additionalProperties: false, description: 'One of the users whose answer changes.' },
    ),
    { description: 'The samples of gains and losses together.', examples: [[]] },
  ),
  warnings: problems('What to know before.'),
})

export const ContentPush = resource('What was pushed.', {
  object: object('content_push'),
  content: Type.Array(ref('Content'), {
    description: 'In the order of the documents; empty after a dry run.',
    examples: [[]],
  }),
  kept: Type.Array(
    Type.Object(
      {
        key: text('The key of the content.', 'first-report'),
        version: Type.Integer({ description: 'The number of the version that it stays as.', examples: [3] }),
        edited_by: nullable(Type.String(), 'Who edited it last.', 'Ada Lovelace'),
        edited_at: time('When it was last edited.'),
      },
      { additionalProperties: false, description: 'A draft.' },
    ),
    {
      description: 'Drafts of others that were not published. A push does not overwrite them: they stay as versions.',
      examples: [[]],
    },
  ),
  warnings: Type.Array(
    Type.Object(
      {
        param: text('The path in the request.', 'documents[0].document.who'),
        message: text('What to know.', 'nobody matches now'),
      },
      { additionalProperties: false, description: 'A place in a document.' },
    ),
    {
      description: 'With `publish`: what to know of the documents, as the plan of a publication says it.',
      examples: [[]],
    },
  ),
})

export const PublishAnswer = Type.Union([ref('Content'), ref('PublishPlan')], {
  description: 'The content, or the plan of a dry run.',
})

const leaf = Type.Unsafe<object>({
  type: 'object',
  description: 'A leaf with its value and its outcome.',
  examples: [{}],
})
const gate = Type.Object(
  {
    gate: text('Its name.', 'who'),
    open: nullable(Type.Boolean(), 'Null: the page decides.'),
    code: nullable(Type.String(), 'Why it is closed.', 'who_not_met'),
    at: Type.Optional(
      Type.String({
        description: 'Until when it stays closed, or when it was.',
        format: 'date-time',
        examples: ['2026-01-03T09:30:00.000Z'],
      }),
    ),
    behind: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The keys of the content that comes before: what is under way for the user, and what is decided for them with a higher rank.',
        examples: [['welcome']],
      }),
    ),
    leaves: Type.Optional(Type.Array(leaf, { description: 'The leaves of its condition.', examples: [[]] })),
  },
  { additionalProperties: false, description: 'One question of the decision.' },
)

const receipt = Type.Object(
  {
    content_id: id,
    key: text('The key of the content.', 'first-report'),
    outcome: Type.Unsafe<string>({
      type: 'string',
      enum: ['show', 'hide'],
      description: 'What came out.',
      examples: ['hide'],
    }),
    reason: nullable(Type.String(), 'The code of the first closed gate.', 'who_not_met'),
    sentence: text('The reason, in words.', 'Not shown: seats is 3, at least 5 are needed'),
    gates: Type.Array(gate, { description: 'All gates, in the order in which they are asked.', examples: [[]] }),
  },
  { additionalProperties: false, description: 'Why a content is shown, or not.' },
)

const decided = Type.Object(
  {
    id,
    key: text('The key of the content.', 'first-report'),
    type,
    slot: text('What may be visible at once. It is the type.', 'flow'),
    version_id: text('The published version.', ID),
    where: nullable(Type.Unsafe<object>({ type: 'object' }), 'What the page decides; null when there is nothing.'),
    wait_ms: Type.Integer({ description: 'How long all conditions hold before it is shown.', examples: [0] }),
    target: nullable(Type.Unsafe<object>({ type: 'object' }), 'Of the first step, or of the launcher.'),
  },
  { additionalProperties: false, description: 'A content that may be shown.' },
)

export const Decision = resource('What a user may see now, the first of each slot first.', {
  object: object('decision'),
  content: Type.Array(decided, { description: 'What may be shown.', examples: [[]] }),
  group_id: nullable(Type.String(), 'The current group.', 'g_1'),
  group_problem: Type.Optional(
    text(
      'Why the named group does not count. The decision is made as for a user without a group.',
      "the user is not a member of the group 'g_1'",
    ),
  ),
  reason: Type.Optional(text('Only when there is no such user, who sees nothing: `user_unknown`.', 'user_unknown')),
  receipts: Type.Optional(Type.Array(receipt, { description: 'Only with `receipts: true`.', examples: [[]] })),
  user_id: text('The user.', 'u_1'),
})
