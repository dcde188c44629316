import { Type } from '../type.ts'
import { object, ref, resource, text } from './fields.ts'

/** Answers other than the objects themselves: deletions, batches, failures, pages. */

export const Deleted = resource('What a delete answers, whether or not there was something to delete.', {
  id: text('The id that was asked for.', 'u_1'),
  object: text('The type of the deleted resource.', 'user'),
  deleted: Type.Literal(true, { description: 'Always true.', examples: [true] }),
})

export const Batch = resource('The outcomes of the operations of a batch.', {
  object: object('batch'),
  results: Type.Array(
    Type.Object(
      {
        status: Type.Integer({
          description: 'The status that the operation would have as a request.',
          examples: [200],
        }),
        body: Type.Unsafe<object>({
          type: 'object',
          description: 'What the operation answers: its resource, or an error.',
          examples: [{ id: 'u_1', object: 'user', deleted: true }],
        }),
      },
      { additionalProperties: false, description: 'The outcome of one operation.' },
    ),
    { description: 'One for each operation, in their order.', examples: [[]] },
  ),
})

export const ErrorObject = resource('What every failure answers.', {
  error: Type.Object(
    {
      code: text('A machine-readable code.', 'invalid_params'),
      message: text('What is wrong, and what to do about it.', 'attributes.seats.add: must be a number'),
      param: Type.Optional(
        Type.String({
          description:
            'The path of the body field, or the query parameter, that is wrong. Absent when no single field is wrong.',
          examples: ['attributes.seats.add'],
          'x-addition': true,
        }),
      ),
      problems: Type.Optional(
        Type.Array(
          Type.Object(
            {
              param: Type.Optional(
                Type.String({ description: 'The field or query parameter.', examples: ['steps[0].blocks'] }),
              ),
              message: text('What is wrong with it.', 'must be a list'),
            },
            { additionalProperties: false, description: 'A problem.' },
          ),
          {
            description: 'Each problem by itself, up to 100. Only when there are several.',
            examples: [[]],
            'x-addition': true,
          },
        ),
      ),
      doc_url: Type.String({
        description: 'Where the reference says what the code means.',
        format: 'uri',
        examples: ['https://usher.example.com/docs/errors#invalid_params'],
      }),
      request_id: text(
        'The id of the request, for reporting the problem. It is in the Request-Id header too.',
        'req_01jz8m3v',
      ),
    },
    { additionalProperties: false, description: 'The error.' },
  ),
})

export function listOf(name: string) {
  return resource(`A page of a list of ${name} objects.`, {
    object: object('list'),
    data: Type.Array(ref(name), { description: 'The objects of this page.' }),
    has_more: Type.Boolean({ description: 'Whether a further page exists.', examples: [false] }),
    url: Type.String({
      description: 'The address of this page.',
      format: 'uri',
      examples: ['https://usher.example.com/users?limit=10'],
    }),
    next_page_url: Type.String({
      description:
        'The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since.',
      format: 'uri',
      examples: ['https://usher.example.com/users?limit=10&starting_after=u_10'],
    }),
  })
}
