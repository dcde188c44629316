import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { id, optional, optionalId, storable } from '../schema.ts'
import type { PageInfo, Report } from '../sdk/protocol.ts'
import { Type } from '../type.ts'
import { closed, expand } from './fields.ts'

/** The bodies of claims and of progress. */

const ID = '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'

export const ClaimContent = Type.Object(
  {
    content: id('The content: its key or its id.', 'first-report'),
    user_id: id('The user who is to see it.', 'u_1'),
    group_id: optionalId('The group that the user is in now. The user must be a member of it.', 'g_1'),
    version_id: optionalId('The version that was decided. The claim is refused when another one is published now.', ID),
    holder: id('Who shows it: one id for each browser or device.', 'browser-7f3a'),
    reason: optional<'auto' | 'manual'>({
      type: 'string',
      enum: ['auto', 'manual', null],
      description:
        '`manual`: started by hand, it passes by frequency and quiet period, and ends what runs. `auto` unless given: what a decision lets the user see. Neither asks `who` and `where`.',
      examples: ['auto'],
    }),
    once: optional<boolean>({
      type: 'boolean',
      description: 'Of a start by hand: only if the user has never seen it.',
      examples: [false],
    }),
  },
  closed('A content to show to a user.', { content: 'first-report', user_id: 'u_1', holder: 'browser-7f3a' }),
)

const key = { ...storable, type: 'string', maxLength: limits.idCharacters } as const

/** Which fields a report must have depends on its type; the server checks them by the version of the session. */
const report = Type.Unsafe<Report>({
  type: 'object',
  description: 'What the user saw or did.',
  examples: [{ sequence: 1, type: 'step_seen', step: 'where-it-is' }],
  required: ['sequence', 'type'],
  additionalProperties: false,
  properties: {
    sequence: {
      type: 'integer',
      minimum: 1,
      maximum: 2_000_000_000,
      description: 'Counts the reports, from 1.',
      examples: [1],
    },
    type: {
      type: 'string',
      enum: [
        'step_seen',
        'target_missing',
        'answered',
        'task_clicked',
        'task_completed',
        'shown',
        'hidden',
        'activated',
        'completed',
        'ended',
      ],
      description: 'What happened. `step_seen` (of anything but a flow: `shown`) begins the session.',
      examples: ['step_seen'],
    },
    step: { ...key, description: 'The key of the step.', examples: ['where-it-is'] },
    locator: {
      ...storable,
      type: 'string',
      maxLength: 1000,
      description: 'Which locator found the target.',
      examples: ['testid=export'],
    },
    matches: { type: 'integer', minimum: 0, description: 'How many elements were found.', examples: [0] },
    question: { ...key, description: 'The key of the question.', examples: ['ease'] },
    value: {
      ...storable,
      type: ['number', 'string', 'array'],
      maxLength: limits.stringValueCharacters,
      maxItems: 100,
      items: {
        ...storable,
        type: 'string',
        maxLength: limits.stringValueCharacters,
        description: 'An option.',
        examples: ['Price'],
      },
      description: 'The answer: a number, a text, or a list of options.',
      examples: [9],
    },
    task: { ...key, description: 'The key of the task.', examples: ['invite'] },
    reason: { ...storable, type: 'string', maxLength: 100, description: 'Why it ended.', examples: ['close_button'] },
  },
})

export const ReportProgress = Type.Object(
  {
    holder: id('Who shows it, as in the claim.', 'browser-7f3a'),
    epoch: optional<number>({ type: 'integer', minimum: 0, description: 'That of the claim.', examples: [1] }),
    reports: Type.Array(report, {
      description: 'Everything that is not acknowledged yet, in order. What is stored already is ignored.',
      maxItems: limits.reportsPerRequest,
      examples: [[{ sequence: 1, type: 'step_seen', step: 'where-it-is' }]],
    }),
    expand,
    page: optional<PageInfo>({
      type: 'object',
      description: 'Where it was reported.',
      examples: [{ url: 'https://app.example.com/projects' }],
      additionalProperties: false,
      properties: {
        url: {
          ...storable,
          type: 'string',
          maxLength: limits.urlCharacters,
          description: 'Kept without query and fragment.',
          examples: ['https://app.example.com/projects'],
        },
        viewport_width: {
          type: 'integer',
          minimum: 0,
          maximum: 100_000,
          description: 'In CSS pixels.',
          examples: [1280],
        },
        viewport_height: {
          type: 'integer',
          minimum: 0,
          maximum: 100_000,
          description: 'In CSS pixels.',
          examples: [800],
        },
        locale: {
          ...storable,
          type: 'string',
          maxLength: 100,
          description: 'The language of the page.',
          examples: ['en-GB'],
        },
      },
    }),
  },
  closed('What was seen and done since the last report.', {
    holder: 'browser-7f3a',
    epoch: 1,
    reports: [{ sequence: 1, type: 'step_seen', step: 'where-it-is' }],
  }),
)

export const EndContentSession = Type.Object({ expand }, closed('An empty object.', {}))

export type ClaimContent = Static<typeof ClaimContent>
export type ReportProgress = Static<typeof ReportProgress>
