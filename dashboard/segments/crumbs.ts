/** The way back to the list. */
export const crumbs = (environment: string) => [
  { label: 'Segments', link: { to: '/$environment/segments', params: { environment } } } as const,
]
