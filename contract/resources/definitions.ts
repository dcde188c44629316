import { dataTypes, internalDataTypes } from '../attributes.ts'
import { addition } from '../schema.ts'
import { Type } from '../type.ts'
import { object, resource, text, time } from './fields.ts'

const definition = {
  created_at: time('When the name was first seen.'),
  first_seen_at: addition(time('When the name was first seen: the same as `created_at`.')),
  last_seen_at: addition(
    time('When the name last arrived, whatever the time of the event; at most a few seconds behind.'),
  ),
  description: text('What it means, in words. Empty until someone writes it in the dashboard.', ''),
}

export const AttributeDefinition = resource('An attribute name that has been seen. Made by the service, read-only.', {
  id: text('Identifier.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('attribute_definition'),
  ...definition,
  data_type: Type.Unsafe<string>({
    type: 'string',
    description: 'The type of the first value seen. The types after `datetime` belong to internal attributes.',
    examples: ['datetime'],
    enum: [...dataTypes, ...internalDataTypes],
  }),
  display_name: text('A readable name. It begins as the name, humanised.', 'Signed up at'),
  name: text('The key in `attributes` maps. It never changes.', 'signed_up_at'),
  scope: Type.Unsafe<string>({
    type: 'string',
    description: 'Which objects have it. `group` and `group_membership` are listed only on request.',
    examples: ['user'],
    enum: ['user', 'event', 'group', 'group_membership'],
  }),
  written_by: addition(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['anyone', 'back_end'],
      description:
        'Who writes it. A page cannot change an attribute of `back_end`: one that was ever written with an API key, unless a member has chosen otherwise.',
      examples: ['back_end'],
    }),
  ),
  shown_unverified: addition(
    Type.Boolean({
      description: 'Whether content may show its value to a page whose user is not verified.',
      examples: [false],
    }),
  ),
  type_conflicts: addition(
    Type.Array(
      Type.Object(
        {
          data_type: text('The type of these values.', 'string'),
          count: Type.Integer({ description: 'How many there were.', examples: [12] }),
          example: Type.Unsafe<unknown>({
            type: ['string', 'number', 'boolean'],
            description: 'The latest of them, its beginning when it is long.',
            examples: ['yesterday'],
          }),
        },
        { description: 'Values of one other type.', additionalProperties: false },
      ),
      {
        description:
          'Values of other types than `data_type`, which were stored all the same. At most a few seconds behind.',
      },
    ),
  ),
})

export const EventDefinition = resource('An event name that has been seen. Made by the service, read-only.', {
  event_count: addition(
    Type.Integer({
      description:
        'How many events of this name were stored, also those that were deleted since. At most a few seconds behind; what was counted in the last seconds before a crash is lost.',
      examples: [1204],
    }),
  ),
  id: text('Identifier.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'),
  object: object('event_definition'),
  ...definition,
  display_name: text('A readable name. It begins as the name, humanised.', 'Subscription activated'),
  name: text('The `name` of such events. It never changes.', 'subscription_activated'),
})
