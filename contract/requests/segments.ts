import type { Static } from 'typebox'
import type { Condition } from '../conditions/condition.ts'
import { OWN_KEY_PATTERN, OWN_KEY_RULE } from '../names.ts'
import { onlyNull, optional, optionalId, readOnly } from '../schema.ts'
import { Type } from '../type.ts'
import { assignedId, closed, resourceFields } from './fields.ts'

/** The bodies of requests about segments. Conditions are checked by `conditionProblems`, which names the path in them. */

const CONDITION = { attribute: 'plan', of: 'group', is: 'equals', value: 'growth' }

const condition = {
  type: 'object',
  description: 'All, any or not over leaves: attributes, events, content, segments, answers and times.',
  examples: [CONDITION],
}
const key = {
  type: 'string',
  description: 'Chosen once and the same in every environment; content and other segments refer to it.',
  examples: ['growing-teams'],
  pattern: OWN_KEY_PATTERN,
  'x-rule': OWN_KEY_RULE,
}
const scope = {
  type: 'string',
  enum: ['user', 'group', null],
  description: 'What it selects: users, or groups. Defaults to `user`.',
  examples: ['user'],
}
const name = {
  type: 'string',
  description: 'What your team calls it. Defaults to the key.',
  examples: ['Growing teams'],
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$',
  'x-rule': 'must not contain control characters or lone surrogates',
}

export const SaveSegment = Type.Object(
  {
    key: Type.Unsafe<string>(key),
    name: optional<string>(name),
    scope: optional<'user' | 'group'>(scope),
    condition: Type.Unsafe<Condition>(condition),
    dry_run: optional<boolean>({
      type: 'boolean',
      description: 'When true, everything is checked and nothing is stored.',
      examples: [false],
    }),
    id: assignedId,
    ...resourceFields('segment'),
    sentence: readOnly('sentence', 'the group\'s plan is "growth"'),
    updated_at: readOnly('updated_at', '2026-01-03T09:30:00.000Z'),
    used_by: readOnly('used_by', ''),
    warnings: readOnly('warnings', ''),
  },
  closed('A segment. The same key again replaces it.', {
    key: 'growing-teams',
    name: 'Growing teams',
    condition: CONDITION,
  }),
)

const either = {
  condition: optional<Condition>({ ...condition, description: `${condition.description} This or \`segment\`.` }),
  segment: optional<string>({ ...key, description: 'The key of a segment. This or `condition`.' }),
}

export const CountSegment = Type.Object(
  { ...either, scope: optional<'user' | 'group'>(scope) },
  closed('What to count.', { condition: CONDITION }),
)

export const ExplainSegment = Type.Object(
  {
    ...either,
    user_id: optionalId('The user that is asked about. This or `group_id`.', 'u_1'),
    group_id: optionalId('The group that is asked about; with `user_id`, the current group of the user.', 'g_1'),
    scope: onlyNull('must be absent: user_id or group_id says it'),
  },
  closed('Whom to ask about.', { condition: CONDITION, user_id: 'u_1' }),
)

export type SaveSegment = Static<typeof SaveSegment>
export type CountSegment = Static<typeof CountSegment>
export type ExplainSegment = Static<typeof ExplainSegment>
