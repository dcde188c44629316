/** What the gates of a receipt are called, in the order in which they are asked. */
export const gateNames: Readonly<Record<string, string>> = {
  published: 'Live',
  known: 'Known',
  frequency: 'How often',
  who: 'Who',
  quiet: 'Quiet period',
  order: 'Turn',
  where: 'Where',
  claim: 'Tab',
}
