import { expectTypeOf, it } from 'vitest'
import type { Operands } from '../src/attributes.ts'
import type * as wire from '../src/generated.ts'
import type {
  BatchOperation,
  Deleted,
  Group,
  TrackEvent,
  UpsertUser,
  Usher,
  WebhookNotification,
} from '../src/index.ts'
import { defineChecklist, defineFlow, isEventNotification } from '../src/index.ts'

interface Mine {
  user: { name: string; seats: number; active: boolean }
  group_membership: { role: 'owner' | 'member' }
  events: { order_placed: { total: number }; signed_in: Record<string, never> }
}

/** Never called: the compiler is the test. */
async function calls(usher: Usher<Mine>, loose: Usher) {
  const bare = await usher.users.retrieve('u')
  expectTypeOf(bare.memberships).toEqualTypeOf<null>()
  expectTypeOf(bare.attributes.seats).toEqualTypeOf<number | undefined>()
  const one = await usher.users.retrieve('u', { expand: 'memberships.group' })
  expectTypeOf(one.groups).toEqualTypeOf<null>()
  expectTypeOf(one.memberships[0]?.attributes.role).toEqualTypeOf<'owner' | 'member' | undefined>()
  expectTypeOf(one.memberships[0]?.user).toEqualTypeOf<null | undefined>()
  expectTypeOf(one.memberships[0]?.group).toEqualTypeOf<Group<Mine> | undefined>()
  const two = await usher.users.upsert({ id: 'u' }, { expand: ['groups', 'memberships'] })
  expectTypeOf(two.groups).toEqualTypeOf<Group<Mine>[]>()
  const event = await usher.events.track({ name: 'order_placed', user_id: 'u', attributes: { total: 1 } })
  expectTypeOf(event.attributes).toEqualTypeOf<{ readonly total?: number }>()
  expectTypeOf((await loose.users.retrieve('u')).attributes.any).toEqualTypeOf<string | number | boolean | undefined>()

  // @ts-expect-error: no such path
  await usher.users.retrieve('u', { expand: 'membership' })
  // @ts-expect-error: deeper than four levels
  await usher.users.retrieve('u', { expand: 'groups.users.groups.users.groups' })
  // @ts-expect-error: no such order
  usher.users.list({ order_by: 'name' })
  // @ts-expect-error: no such event
  await usher.events.track({ name: 'order_palced', user_id: 'u' })
  // @ts-expect-error: an event is about a user or a group
  await usher.events.track({ name: 'signed_in' })
}

function documents() {
  const step = { key: 'a', type: 'dialog' as const, blocks: [{ heading: 'Hello' }] }
  const flow = { key: 'tour', type: 'flow', name: 'Tour' } as const
  defineFlow({ ...flow, who: { all: [{ event: 'seen', at_least: 2, within: '7d' }] }, steps: [step] })
  defineFlow({ ...flow, when: { frequency: { every: '7d' }, at_most: 3 }, steps: [step] })
  // @ts-expect-error: a flow has steps
  defineFlow({ ...flow, tasks: [] })
  // @ts-expect-error: no such kind of step
  defineFlow({ ...flow, steps: [{ ...step, type: 'popup' }] })
  // @ts-expect-error: no such action
  defineFlow({ ...flow, steps: [{ ...step, buttons: [{ label: 'Go', do: [{ run: 'code' }] }] }] })
  // @ts-expect-error: no such leaf
  defineFlow({ ...flow, who: { evnet: 'seen' }, steps: [step] })
  // @ts-expect-error: no such frequency
  defineFlow({ ...flow, when: { frequency: 'twice' }, steps: [step] })
  // @ts-expect-error: a checklist is no flow
  defineChecklist({ ...flow, steps: [step] })
}

function bodies() {
  const user = (body: UpsertUser<Mine>) => body
  user({ id: 'u', attributes: { name: null, seats: { add: 1 }, active: { set_once: true } } })
  user({ id: 'u', attributes: { name: { set: new Date(), data_type: 'datetime' } } })
  // @ts-expect-error: no such attribute
  user({ id: 'u', attributes: { nmae: 'Ada' } })
  // @ts-expect-error: add is for numbers
  user({ id: 'u', attributes: { name: { add: 1 } } })
  // @ts-expect-error: one operation at a time
  user({ id: 'u', attributes: { seats: { add: 1, subtract: 1 } } })
  // @ts-expect-error: groups or memberships
  user({ id: 'u', groups: [{ id: 'g' }], memberships: [{ group: { id: 'g' } }] })
  const event = (body: TrackEvent<Mine>) => body
  // @ts-expect-error: the attributes are those of that event
  event({ name: 'signed_in', user_id: 'u', attributes: { total: 1 } })
}

async function batches(usher: Usher<Mine>) {
  const [user, event, removal] = await usher.batch([
    { method: 'POST', path: '/users', body: { id: 'u', attributes: { seats: { add: 1 } } } },
    { method: 'POST', path: '/events', body: { name: 'order_placed', user_id: 'u' } },
    { method: 'DELETE', path: '/group_memberships?user_id=u&group_id=g' },
  ])
  if (user.status === 200) expectTypeOf(user.body.attributes.seats).toEqualTypeOf<number | undefined>()
  else expectTypeOf(user.body.error.message).toBeString()
  if (event.status === 200) expectTypeOf(event.body.name).toEqualTypeOf<'order_placed' | 'signed_in'>()
  if (removal.status === 200) expectTypeOf(removal.body).toEqualTypeOf<Deleted>()
  const many = await usher.batch([] as BatchOperation<Mine>[])
  expectTypeOf(many[0]?.status).not.toBeAny()

  // @ts-expect-error: no such attribute
  await usher.batch([{ method: 'POST', path: '/users', body: { id: 'u', attributes: { nmae: 'Ada' } } }])
  // @ts-expect-error: a batch has no such path
  await usher.batch([{ method: 'POST', path: '/webhook_subscriptions', body: { url: 'https://x', topics: ['*'] } }])
  // @ts-expect-error: a deletion has no body
  await usher.batch([{ method: 'DELETE', path: '/users/u', body: {} }])
}

function notifications(notification: WebhookNotification<Mine>) {
  if (notification.topic === 'user.created')
    expectTypeOf(notification.data.object.attributes.name).toEqualTypeOf<string | undefined>()
  if (isEventNotification(notification, 'order_placed'))
    expectTypeOf(notification.data.object.attributes.total).toEqualTypeOf<number | undefined>()
}

/** The error names what the client does not have. */
type Within<Client, Contract extends Client> = Contract

/** An operation or a topic that is new in the contract does not compile until the client has it. */
function completeness() {
  type WireInput =
    NonNullable<wire.TrackEvent['attributes']> extends infer Maps
      ? Maps extends { [name: string]: infer Input }
        ? Extract<Input, { add?: number }>
        : never
      : never
  type WireOperation = Exclude<keyof WireInput, 'data_type'>
  expectTypeOf<Within<keyof Operands<number>, WireOperation>>().not.toBeNever()
  type FixedTopic = Exclude<keyof wire.NotificationObjects, 'event.tracked'>
  expectTypeOf<Within<WebhookNotification['topic'], FixedTopic>>().not.toBeNever()
}

it('the types match the server', () => {
  expectTypeOf(calls).toBeFunction()
  expectTypeOf(documents).toBeFunction()
  expectTypeOf(bodies).toBeFunction()
  expectTypeOf(batches).toBeFunction()
  expectTypeOf(notifications).toBeFunction()
  expectTypeOf(completeness).toBeFunction()
})
