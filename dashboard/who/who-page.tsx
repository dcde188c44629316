/** Whom a content is shown to, on which pages, and when. */
export function WhoPage({ id }: { id: string }) {
  return <div className="page">{id}</div>
}
