/** The way back to the list. */
export const crumbs = (environment: string) => [
  { label: 'Themes', link: { to: '/$environment/themes', params: { environment } } } as const,
]
