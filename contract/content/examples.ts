import type { BannerDocument, ChecklistDocument, FlowDocument, LauncherDocument } from './document.ts'

/** One document of each kind, for tests and for the reference. */

export const exampleFlow: FlowDocument = {
  key: 'first-report',
  type: 'flow',
  name: 'First report',
  who: {
    all: [
      { attribute: 'plan', of: 'group', is: 'one_of', values: ['growth', 'scale'] },
      { event: 'task_completed', at_least: 3, within: '7d' },
      { not: { event: 'report_exported' } },
    ],
  },
  where: { all: [{ url: '/projects/*' }, { element: ['testid=export'] }] },
  when: { frequency: 'until_completed', at_most: 3, wait: '2s', priority: 60 },
  theme: 'default',
  steps: [
    {
      key: 'where-it-is',
      type: 'tooltip',
      target: { locators: ['testid=export', 'role=button[name="Export"]', 'css=#export'], placement: 'bottom' },
      blocks: [
        { heading: 'Share your work' },
        { text: 'Hi {{ user.name | there }}, this sends the report as **PDF**.' },
      ],
      advance: [{ on: 'target_click', to: 'thanks' }],
      buttons: [{ label: 'Not now', do: [{ end: 'dismissed' }] }],
    },
    {
      key: 'thanks',
      type: 'dialog',
      blocks: [{ heading: 'How easy was that?' }, { question: 'ease', kind: 'nps', label: '0 to 10' }],
      buttons: [{ label: 'Done', style: 'primary', do: [{ set: 'onboarded', value: true }, { end: 'completed' }] }],
    },
  ],
}

export const exampleChecklist: ChecklistDocument = {
  key: 'get-started',
  type: 'checklist',
  name: 'Get started',
  text: 'Three things to *begin* with.',
  tasks: [
    { key: 'invite', name: 'Invite your team', do: [{ open: '/settings/team' }], complete_when: { event: 'invited' } },
    { key: 'read', name: 'Read the guide', button: 'Open it', do: [{ open: 'https://example.com/guide', in: 'new' }] },
    {
      key: 'pay',
      name: 'Add a card',
      visible_when: { attribute: 'role', is: 'equals', value: 'owner' },
      complete_when: { attribute: 'has_card', is: 'true' },
    },
  ],
}

export const exampleBanner: BannerDocument = {
  key: 'maintenance',
  type: 'banner',
  name: 'Maintenance',
  blocks: [{ text: 'We are [down for an hour](https://status.example.com) on Sunday.' }],
  position: 'top',
  dismissible: true,
}

export const exampleLauncher: LauncherDocument = {
  key: 'help',
  type: 'launcher',
  name: 'Help',
  target: { locators: ['testid=nav'] },
  label: 'Show the tour',
  do: [{ start: 'first-report' }],
}
