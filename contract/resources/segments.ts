import { Type } from '../type.ts'
import { nullable, object, resource, text, time } from './fields.ts'

const CONDITION = { attribute: 'plan', of: 'group', is: 'equals', value: 'growth' }

export const Segment = resource(
  'A named condition over users or groups. Its members are those who fit at the moment.',
  {
    id: text('Identifier.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
    object: object('segment'),
    condition: Type.Unsafe<object>({
      type: 'object',
      description: 'The condition, as it was saved.',
      examples: [CONDITION],
    }),
    created_at: time('When the segment was created.'),
    key: text('What content and other segments refer to it by.', 'growing-teams'),
    name: text('What your team calls it.', 'Growing teams'),
    scope: Type.Unsafe<string>({
      type: 'string',
      enum: ['user', 'group'],
      description: 'What it selects.',
      examples: ['user'],
    }),
    sentence: text('The condition in plain words.', 'the group\'s plan is "growth"'),
    updated_at: time('When it was saved last.'),
    used_by: Type.Array(
      Type.Object(
        {
          object: text('`segment` or `content`.', 'content'),
          key: text('Its key.', 'first-report'),
        },
        { description: 'What uses it.', additionalProperties: false },
      ),
      { description: 'What uses it. A segment that is used is not deleted.', examples: [[]] },
    ),
    warnings: Type.Array(Type.String(), {
      description:
        'What is allowed and probably not meant, such as a number that is compared with a text attribute. Only in the answer of a POST; else empty.',
      examples: [[]],
    }),
  },
)

export const SegmentCount = resource('How many users or groups a condition selects at the moment.', {
  object: object('segment_count'),
  count: Type.Integer({ description: 'How many.', examples: [812] }),
  exact: Type.Boolean({
    description: 'False when it is an estimate from a sample, because the count would have taken over 5 seconds.',
    examples: [true],
  }),
  margin: Type.Optional(
    Type.Integer({
      description: 'Only with `exact: false`: in 95 of 100 cases the count is within this many of the estimate.',
      examples: [40],
    }),
  ),
  lines: Type.Array(
    Type.Object(
      {
        path: text('Where the leaf stands in the condition; empty when it is all of it.', 'all[0]'),
        count: Type.Integer({ description: 'How many it selects by itself.', examples: [11_340] }),
        sentence: text('The leaf in plain words.', "the group's seats is at least 5"),
      },
      { description: 'A leaf.', additionalProperties: false },
    ),
    { description: 'What each leaf selects by itself, counted in the same scan.', examples: [[]] },
  ),
  warnings: Type.Array(Type.String(), {
    description: 'What is allowed and probably not meant.',
    examples: [[]],
  }),
})

export const Receipt = resource('Why a user or a group fits a condition, or does not.', {
  object: object('receipt'),
  met: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether it fits; null when that is not known.',
    examples: [false],
  }),
  sentence: text('The reason in one sentence.', 'seats is 3, at least 5 are needed'),
  group_id: nullable(Type.String(), 'The group that the leaves about groups were asked of.', 'g_1'),
  leaves: Type.Array(
    Type.Object(
      {
        path: text('Where the leaf stands in the condition.', 'all[0]'),
        met: Type.Union([Type.Boolean(), Type.Null()], {
          description: 'Whether the leaf is as the condition needs it: within `not`, whether it does not hold.',
          examples: [false],
        }),
        value: Type.Unsafe<string | number | boolean | null>({
          type: ['string', 'number', 'boolean', 'null'],
          description: 'What was found. A text of more than 200 characters is cut.',
          examples: [3],
        }),
        needed: text('What would have to be.', 'at least 5 are needed'),
        sentence: text('Both in one sentence.', 'seats is 3, at least 5 are needed'),
      },
      { description: 'A leaf.', additionalProperties: false },
    ),
    { description: 'Every leaf, in the order of the condition.', examples: [[]] },
  ),
})
