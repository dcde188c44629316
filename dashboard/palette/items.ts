import type { LinkProps } from '@tanstack/react-router'
import type { Output } from '../../contract/dashboard/operations.ts'
import type { IconName } from '../parts/icon.tsx'
import { PAGES } from '../shell/navigation.ts'
import { placeOf } from '../webhooks/words.ts'

export type Item = { key: string; icon: IconName; label: string; note?: string | undefined; link: LinkProps }
export type ItemGroup = { title: string; items: Item[] }

type Found = Output<'search'>

const PER_GROUP = 8

/** What the palette shows: by prefix, 8 per group. A request that was pasted comes first. */
export function groupsOf(
  environment: string,
  text: string,
  found: Found | undefined,
  environments: readonly { slug: string; name: string }[],
): ItemGroup[] {
  const requestId = found?.request_id ?? (text.startsWith('req_') ? text : undefined)
  const request = requestId ? [requestItem(environment, requestId)] : []
  const groups: ItemGroup[] = [
    { title: 'Requests', items: request },
    { title: 'With this id', items: withId(environment, found) },
    { title: 'Why', items: whys(environment, found) },
    { title: 'Pages', items: pages(environment, text) },
    {
      title: 'Content',
      items: (found?.content ?? []).map(({ id, name, type }) =>
        item('content', `content ${id}`, name || 'Without a name', type, {
          to: '/$environment/content/$contentId',
          params: { environment, contentId: id },
        }),
      ),
    },
    {
      title: 'Segments',
      items: (found?.segments ?? []).map(({ id, name }) =>
        item('segments', `segment ${id}`, name, undefined, {
          to: '/$environment/segments/$segmentId',
          params: { environment, segmentId: id },
        }),
      ),
    },
    {
      title: 'Users',
      items: (found?.users ?? []).map(({ id, name, email }) =>
        item('users', `user ${id}`, name ?? id, email ?? id, {
          to: '/$environment/users/$userId',
          params: { environment, userId: id },
        }),
      ),
    },
    {
      title: 'Groups',
      items: (found?.groups ?? []).map(({ id, name }) =>
        item('groups', `group ${id}`, name ?? id, id, {
          to: '/$environment/groups/$groupId',
          params: { environment, groupId: id },
        }),
      ),
    },
    {
      title: 'Events',
      items: (found?.events ?? []).map(({ id, name, display_name }) =>
        item('events', `event ${id}`, display_name, name, {
          to: '/$environment/events/$definitionId',
          params: { environment, definitionId: id },
        }),
      ),
    },
    {
      title: 'Attributes',
      items: (found?.attributes ?? []).map(({ id, name, display_name, scope }) =>
        item('attributes', `attribute ${id}`, display_name, `${name} · ${scope}`, {
          to: '/$environment/attributes/$definitionId',
          params: { environment, definitionId: id },
        }),
      ),
    },
    {
      title: 'Webhooks',
      items: (found?.endpoints ?? []).map(({ id, url }) =>
        item('webhooks', `endpoint ${id}`, placeOf(url), undefined, {
          to: '/$environment/webhooks/$endpointId',
          params: { environment, endpointId: id },
        }),
      ),
    },
    { title: 'Do', items: acts(environment, text) },
    { title: 'Environments', items: others(environment, text, environments) },
  ]
  return groups
    .map(({ title, items }) => ({ title, items: items.slice(0, PER_GROUP) }))
    .filter(({ items }) => items.length > 0)
}

/** The receipts that a question such as "why does Ada not see Welcome" is about. */
function whys(environment: string, found: Found | undefined): Item[] {
  return (found?.why ?? []).map(({ user_id, user_name, content_id, content_name }) =>
    item('ask', `why ${user_id} ${content_id}`, `Why ${user_name ?? user_id} sees ${content_name}, or not`, user_id, {
      to: '/$environment/content/$contentId/receipts/$userId',
      params: { environment, contentId: content_id, userId: user_id },
    }),
  )
}

/** The event opens on the profile that it belongs to; a notification, at each of its endpoints. */
function withId(environment: string, found: Found | undefined): Item[] {
  const deliveries = (found?.deliveries ?? []).map(({ notification_id, endpoint_id, url }) =>
    item('webhooks', `delivery ${endpoint_id} ${notification_id}`, `Delivery to ${placeOf(url)}`, notification_id, {
      to: '/$environment/webhooks/$endpointId/$notificationId',
      params: { environment, endpointId: endpoint_id, notificationId: notification_id },
    }),
  )
  const event = found?.event
  if (!event) return deliveries
  const search = { open: event.id }
  const link: LinkProps =
    event.user_id === null
      ? { to: '/$environment/groups/$groupId', params: { environment, groupId: event.group_id ?? '' }, search }
      : { to: '/$environment/users/$userId', params: { environment, userId: event.user_id }, search }
  return [item('events', `event ${event.id}`, `Event ${event.name}`, event.id, link), ...deliveries]
}

function item(icon: IconName, key: string, label: string, note: string | undefined, link: LinkProps): Item {
  return { icon, key, label, note: note === label ? undefined : note, link }
}

const begins = (label: string, text: string) =>
  label
    .toLowerCase()
    .split(' ')
    .some((word) => word.startsWith(text.toLowerCase())) || label.toLowerCase().startsWith(text.toLowerCase())

function pages(environment: string, text: string): Item[] {
  return PAGES.filter(({ label }) => begins(label, text)).map(({ to, label, icon }) =>
    item(icon, to, label, undefined, { to, params: { environment } }),
  )
}

function others(current: string, text: string, environments: readonly { slug: string; name: string }[]): Item[] {
  return environments
    .filter(({ slug, name }) => slug !== current && begins(name, text))
    .map(({ slug, name }) =>
      item('layers', `environment ${slug}`, name, 'environment', {
        to: '/$environment',
        params: { environment: slug },
      }),
    )
}

function acts(environment: string, text: string): Item[] {
  const params = { environment }
  const all = [
    item('plus', 'create-key', 'Create key', undefined, {
      to: '/$environment/keys',
      params,
      search: { create: 'key' },
    }),
    item('plus', 'add-endpoint', 'Add endpoint', undefined, {
      to: '/$environment/webhooks',
      params,
      search: { create: 'endpoint' },
    }),
    item('search', 'errors', 'Why requests were rejected', undefined, {
      to: '/$environment/live',
      params,
      search: { view: 'errors' },
    }),
    item('book', 'set-up', 'Set up the first integration', undefined, {
      to: '/$environment',
      params,
      search: { set_up: 'yes' },
    }),
  ]
  return all.filter(({ label }) => begins(label, text))
}

const requestItem = (environment: string, id: string): Item =>
  item('search', `request ${id}`, `Find the request ${id}`, undefined, {
    to: '/$environment/requests/$requestId',
    params: { environment, requestId: id },
  })
