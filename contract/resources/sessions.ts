import { contentTypes } from '../content/document.ts'
import { addition } from '../schema.ts'
import { endReasons, LEASE_SECONDS, sessionStates } from '../sdk/protocol.ts'
import { Type } from '../type.ts'
import { manyOf, nullable, object, oneOf, resource, text, time } from './fields.ts'

/** What users were shown, how far they came, and what they answered. */

const ID = '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'
const oneOfNames = (names: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: [...names], description, examples: [names[0]] })

const session = {
  id: text('Assigned by the service.', ID),
  object: object('content_session'),
  answers: manyOf('ContentSessionAnswer', 'answers'),
  completed: Type.Boolean({ description: 'Whether the user has completed it.', examples: [false] }),
  completed_at: nullable(Type.String({ format: 'date-time' }), 'When the user completed it.'),
  content: nullable(Type.Unsafe<object>({ type: 'object' }), 'Null unless expanded with `expand=content`.'),
  content_id: text('The content.', ID),
  created_at: time('When its first step was seen.'),
  end_reason: addition(
    nullable(
      Type.Unsafe({ type: 'string', enum: [...endReasons] }),
      'Why it ended; null while it is open.',
      'close_button',
    ),
  ),
  ended_at: addition(
    nullable(Type.String({ format: 'date-time' }), 'When it ended; a completed one may still be on the screen.'),
  ),
  group: oneOf('Group', 'group'),
  group_id: nullable(Type.String(), 'The group that it was shown in, if any.', 'g_1'),
  is_preview: Type.Boolean({ description: 'Always false: a preview stores no session.', examples: [false] }),
  last_activity_at: nullable(Type.String({ format: 'date-time' }), 'When something was last reported of it.'),
  launcher_activated: Type.Boolean({ description: 'Whether its launcher was activated.', examples: [false] }),
  progress: nullable(
    Type.String(),
    'The number of the last step, or of completed tasks, and how many there are.',
    '2/5',
  ),
  receipt: addition(
    nullable(Type.Unsafe<object>({ type: 'object' }), 'Why it was shown. Null unless expanded with `expand=receipt`.'),
  ),
  state: addition(
    oneOfNames(sessionStates, 'Completed and ended are two facts: a completed one stays `completed` when it ends.'),
  ),
  user: oneOf('User', 'user'),
  user_id: text('The user.', 'u_1'),
  version: nullable(Type.Unsafe<object>({ type: 'object' }), 'Null unless expanded with `expand=version`.'),
  version_id: text('The version, which a session keeps to its end.', ID),
}

export const ContentSession = resource('One run of a user through one version of a content.', session)

export const ReportedContentSession = resource('A content session after a report.', {
  ...session,
  holder: addition(
    Type.Boolean({
      description:
        'Whether the holder of the request still has the right to show it. If not, claim the content again: its lease is over, or another holder has claimed it since. In that case only answers were stored of its reports. `sequence` says which others are.',
      examples: [true],
    }),
  ),
  sequence: addition(Type.Integer({ description: 'Of the last report that is stored.', examples: [3] })),
})

export const ContentSessionAnswer = resource('The answer to a question.', {
  id: text('Assigned by the service.', ID),
  object: object('content_session_answer'),
  answer_type: oneOfNames(['number', 'text', 'list'], 'The type of the answer.'),
  answer_value: text('The answer as a text. A list is a JSON list.', '9'),
  created_at: time('When it was answered.'),
  question_cvid: text('The question: the same in every version.', 'ease'),
  question_name: text('What was asked.', 'How easy was that?'),
})

export const ContentClaim = resource('The right of one browser to show a content.', {
  id: text('Of the session that it becomes when its first step is seen.', ID),
  object: object('content_claim'),
  content_id: text('The content.', ID),
  document: Type.Unsafe<object>({
    type: 'object',
    description: 'What to show, with templates filled. Its `type` is one of the types of content.',
    examples: [{ type: contentTypes[0] }],
  }),
  epoch: Type.Integer({ description: 'Counts the changes of the holder.', examples: [1] }),
  lease_seconds: Type.Integer({
    description: 'How long nobody else may show it. Claim it again before that to keep it.',
    examples: [LEASE_SECONDS],
  }),
  progress: nullable(
    Type.Unsafe<object>({ type: 'object' }),
    'Where a session is that is resumed: its step, whether it is completed, its answers.',
  ),
  sequence: Type.Integer({ description: 'Of the last report that is stored; 0 before the first.', examples: [0] }),
  version_id: text('The version to show.', ID),
})
