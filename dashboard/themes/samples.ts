import type { ContentDocument } from '../../contract/content/document.ts'

/** One document per widget: what the pictures of a theme show. */
export interface Sample {
  title: string
  document: ContentDocument
  /** Of a checklist. */
  isOpen?: boolean
  done?: string[]
  /** It needs little room. */
  isLow?: boolean
}

const next = { label: 'Next', style: 'primary' as const, do: [{ next: true as const }] }

const tooltip: ContentDocument = {
  key: 'tooltip',
  type: 'flow',
  name: 'Tooltip',
  steps: ['first', 'second', 'third'].map((key) => ({
    key,
    type: 'tooltip' as const,
    target: { locators: ['testid=usher-preview-target'], placement: 'bottom' as const },
    blocks: [{ heading: 'Open the timeline' }, { text: 'Every task with a date is already on it.' }],
    buttons: [{ label: 'Back', do: [{ previous: true as const }] }, next],
  })),
}

const dialog: ContentDocument = {
  key: 'dialog',
  type: 'flow',
  name: 'Dialog',
  steps: [
    {
      key: 'news',
      type: 'dialog',
      blocks: [
        { heading: 'Every deadline on one line' },
        { text: 'See what is due, who does it, and where two plans meet. [Read more](/more)' },
      ],
      buttons: [
        { label: 'Not now', do: [{ end: 'dismissed' }] },
        { ...next, label: 'Show me' },
      ],
    },
  ],
}

const checklist: ContentDocument = {
  key: 'checklist',
  type: 'checklist',
  name: 'Get started',
  starts_open: true,
  tasks: [
    { key: 'project', name: 'Create a project' },
    { key: 'task', name: 'Complete a task' },
    {
      key: 'invite',
      name: 'Invite two people',
      text: 'Plans change less often when the people in them can see them.',
      button: 'Invite people',
      do: [{ open: '/team' }],
    },
    { key: 'timeline', name: 'Open the timeline' },
  ],
}

const question: ContentDocument = {
  key: 'question',
  type: 'flow',
  name: 'Question',
  steps: [
    {
      key: 'ask',
      type: 'dialog',
      blocks: [
        { heading: 'How likely are you to recommend us?' },
        { question: 'nps', kind: 'nps', label: '0 to 10', low: '0: not likely', high: '10: very likely' },
        { question: 'reason', kind: 'text', label: 'What is the reason?', long: true },
      ],
      buttons: [{ ...next, label: 'Send' }],
    },
  ],
}

const banner: ContentDocument = {
  key: 'banner',
  type: 'banner',
  name: 'Banner',
  dismissible: true,
  blocks: [{ text: 'Maintenance on 22 November.' }],
  buttons: [{ label: 'Details', do: [{ open: '/status' }] }],
}

const launcher: ContentDocument = {
  key: 'launcher',
  type: 'launcher',
  name: 'Launcher',
  target: { locators: ['testid=usher-preview-target'] },
  label: 'Help',
  do: [],
}

export const samples: readonly Sample[] = [
  { title: 'Tooltip', document: tooltip },
  { title: 'Dialog', document: dialog },
  { title: 'Checklist', document: checklist, isOpen: true, done: ['project', 'task'] },
  { title: 'Question', document: question },
  { title: 'Banner', document: banner, isLow: true },
  { title: 'Launcher', document: launcher, isLow: true },
]
