/** Our own words in a step. All others are the author's. */
export const words = {
  close: 'Close',
  step: (number: number, of: number) => `Step ${number} of ${of}`,
  /** Said after the text of a tooltip, whose focus stays on the page. */
  reach: 'Press F6 to go there.',
} as const
