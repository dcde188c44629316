/** The page to go back to after sign-in: a path of this site, never another host. */
export function safeBack(back: string | undefined): string | undefined {
  return back !== undefined && /^\/(?![/\\])/.test(back) ? back : undefined
}
