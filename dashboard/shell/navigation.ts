import type { IconName } from '../parts/icon.tsx'

export type Destination = { to: (typeof DESTINATIONS)[number]; label: string; icon: IconName; key?: string }

const DESTINATIONS = [
  '/$environment',
  '/$environment/live',
  '/$environment/content',
  '/$environment/themes',
  '/$environment/users',
  '/$environment/groups',
  '/$environment/segments',
  '/$environment/events',
  '/$environment/attributes',
  '/$environment/webhooks',
  '/$environment/settings/install',
  '/$environment/keys',
  '/$environment/members',
  '/$environment/environments',
  '/$environment/usage',
  '/$environment/audit-log',
  '/$environment/system',
  '/$environment/account',
] as const

/** `key`: after `g` it leads there. */
export const NAVIGATION: { label: string | undefined; items: Destination[] }[] = [
  {
    label: undefined,
    items: [
      { to: '/$environment', label: 'Home', icon: 'home', key: 'h' },
      { to: '/$environment/live', label: 'Live', icon: 'live', key: 'l' },
    ],
  },
  {
    label: 'Guide',
    items: [
      { to: '/$environment/content', label: 'Content', icon: 'content', key: 'c' },
      { to: '/$environment/themes', label: 'Themes', icon: 'themes' },
    ],
  },
  {
    label: 'Data',
    items: [
      { to: '/$environment/users', label: 'Users', icon: 'users', key: 'u' },
      { to: '/$environment/groups', label: 'Groups', icon: 'groups', key: 'g' },
      { to: '/$environment/segments', label: 'Segments', icon: 'segments', key: 's' },
      { to: '/$environment/events', label: 'Events', icon: 'events', key: 'e' },
      { to: '/$environment/attributes', label: 'Attributes', icon: 'attributes', key: 'a' },
    ],
  },
  { label: 'Deliver', items: [{ to: '/$environment/webhooks', label: 'Webhooks', icon: 'webhooks', key: 'w' }] },
  {
    label: 'Settings',
    items: [
      { to: '/$environment/settings/install', label: 'Install', icon: 'install' },
      { to: '/$environment/keys', label: 'API keys', icon: 'key', key: 'k' },
      { to: '/$environment/members', label: 'Members', icon: 'members' },
      { to: '/$environment/environments', label: 'Environments', icon: 'layers' },
      { to: '/$environment/usage', label: 'Plan and usage', icon: 'gauge' },
      { to: '/$environment/audit-log', label: 'Audit log', icon: 'log' },
      { to: '/$environment/system', label: 'System', icon: 'system' },
    ],
  },
]

export const PAGES: Destination[] = [
  ...NAVIGATION.flatMap(({ items }) => items),
  { to: '/$environment/account', label: 'Your account', icon: 'users' },
]
