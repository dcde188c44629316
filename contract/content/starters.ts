import type { ChecklistDocument, ContentDocument, ContentType, FlowDocument } from './document.ts'

/** What a new content can begin with: a whole document, of which everything can be changed. */
export interface Starter {
  title: string
  about: string
  /** The step that stands for it in a picture. */
  step?: string
  document: ContentDocument
}

const welcome: FlowDocument = {
  key: 'welcome',
  type: 'flow',
  name: 'Welcome tour',
  who: { attribute: 'signed_up_at', is: 'less_than_ago', value: '1d' },
  when: { frequency: 'once', wait: '1s' },
  steps: [
    {
      key: 'hello',
      type: 'dialog',
      blocks: [
        { heading: 'Welcome, {{ user.name | and hello }}' },
        { text: 'Three short steps show you where things are. It takes **less than a minute**.' },
      ],
      buttons: [
        { label: 'Not now', do: [{ end: 'dismissed' }] },
        { label: 'Show me', style: 'primary', do: [{ next: true }] },
      ],
    },
    {
      key: 'first-project',
      type: 'tooltip',
      target: { locators: ['testid=new-project'], placement: 'auto' },
      blocks: [{ heading: 'Your first project' }, { text: 'Everything you plan begins here.' }],
      buttons: [
        { label: 'Back', do: [{ previous: true }] },
        { label: 'Next', style: 'primary', do: [{ next: true }] },
      ],
    },
    {
      key: 'help',
      type: 'tooltip',
      target: { locators: ['testid=help'], placement: 'auto' },
      blocks: [{ heading: 'Help is here' }, { text: 'Answers, shortcuts, and a way to reach us.' }],
      buttons: [{ label: 'Done', style: 'primary', do: [{ end: 'completed' }] }],
    },
  ],
}

const announcement: FlowDocument = {
  key: 'announcement',
  type: 'flow',
  name: 'Feature announcement',
  who: { attribute: 'last_seen_at', is: 'less_than_ago', value: '30d' },
  when: { frequency: 'once' },
  steps: [
    {
      key: 'news',
      type: 'dialog',
      blocks: [
        { heading: 'New: see your work on a timeline' },
        { text: 'Every task with a date is already on it. Open it to see where two plans meet.' },
      ],
      buttons: [
        { label: 'Later', do: [{ end: 'dismissed' }] },
        { label: 'Open it', style: 'primary', do: [{ open: '/timeline' }, { end: 'completed' }] },
      ],
    },
  ],
}

const firstWeek: ChecklistDocument = {
  key: 'first-week',
  type: 'checklist',
  name: 'Get started',
  who: { attribute: 'signed_up_at', is: 'less_than_ago', value: '7d' },
  starts_open: true,
  tasks: [
    { key: 'project', name: 'Create a project', complete_when: { event: 'project_created' } },
    { key: 'task', name: 'Complete a task', complete_when: { event: 'task_completed' } },
    {
      key: 'invite',
      name: 'Invite two people',
      text: 'Plans change less often when the people in them can see them.',
      button: 'Invite people',
      do: [{ open: '/settings/team' }],
      complete_when: { event: 'member_invited', at_least: 2 },
    },
    {
      key: 'calendar',
      name: 'Connect your calendar',
      button: 'Connect',
      do: [{ open: '/settings/calendar' }],
      complete_when: { event: 'calendar_connected' },
    },
    { key: 'guide', name: 'Read the guide', button: 'Open it', do: [{ open: '/guide', in: 'new' }] },
  ],
}

const firstMonth: FlowDocument = {
  key: 'first-month',
  type: 'flow',
  name: 'How did the first month go?',
  who: {
    all: [
      { attribute: 'signed_up_at', is: 'more_than_ago', value: '30d' },
      { attribute: 'signed_up_at', is: 'less_than_ago', value: '37d' },
    ],
  },
  when: { frequency: 'once', wait: '5s' },
  steps: [
    {
      key: 'ask',
      type: 'dialog',
      blocks: [
        { heading: 'How likely are you to recommend us to a colleague?' },
        {
          question: 'recommend',
          kind: 'nps',
          label: '0 to 10',
          required: true,
          low: '0: not likely',
          high: '10: very likely',
        },
        { question: 'reason', kind: 'text', label: 'What is the reason?', long: true },
      ],
      buttons: [{ label: 'Send', style: 'primary', do: [{ end: 'completed' }] }],
    },
  ],
}

export const starters: readonly Starter[] = [
  {
    title: 'Welcome new users',
    about: 'Three steps that lead to the first project, for whoever signed up today.',
    step: 'first-project',
    document: welcome,
  },
  {
    title: 'Announce a feature',
    about: 'One dialog for those who were here within a month, with a button that opens it.',
    document: announcement,
  },
  {
    title: 'Get people to a habit',
    about: 'Five tasks for the first week. They tick themselves off when the event arrives.',
    document: firstWeek,
  },
  {
    title: 'Ask how it goes',
    about: 'One question and its reason after a month. The answers can be used in conditions.',
    document: firstMonth,
  },
]

/** A document with nothing in it but what its kind needs. It is a draft: not all of them can be published. */
export function emptyDocument(type: ContentType): ContentDocument {
  const common = { key: `new-${type}`, name: `New ${type}` }
  switch (type) {
    case 'flow': {
      const buttons = [{ label: 'Done', style: 'primary' as const, do: [{ end: 'completed' as const }] }]
      const step = { key: 'step-1', type: 'dialog' as const, blocks: [{ heading: 'A new step' }], buttons }
      return { ...common, type, steps: [step] }
    }
    case 'checklist':
      return { ...common, type, tasks: [{ key: 'task-1', name: 'A new task' }] }
    case 'banner':
      return { ...common, type, blocks: [{ text: 'What users should know.' }] }
    case 'launcher':
      return { ...common, type, target: { locators: [] }, label: 'Help', do: [] }
  }
}
