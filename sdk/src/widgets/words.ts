/** Our own words in a widget. All others are the author's. */
export const words = {
  close: 'Close',
  collapse: 'Collapse',
  hide: 'Hide for now',
  announcement: 'Announcement',
  required: 'Please answer this question.',
  step: (number: number, of: number) => `Step ${number} of ${of}`,
  done: (count: number, of: number) => `${count} of ${of} done`,
  count: (count: number, of: number) => `${count} of ${of}`,
  taskDone: 'done',
  /** Said after the text of a tooltip, whose focus stays on the page. */
  reach: 'Press F6 to go there.',
} as const
