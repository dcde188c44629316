/** The same page in another environment, without ids and filters that belong to the other one. */
export function pageIn(pathname: string, slug: string): string {
  const [, page] = pathname.split('/').filter(Boolean)
  if (page === undefined) return `/${slug}`
  // A request is opened from Live, and is of one environment.
  return page === 'requests' ? `/${slug}/live` : `/${slug}/${page}`
}
