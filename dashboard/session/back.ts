/** The page to go back to after sign-in: a path of our own, never a way to another host. */
export function safeBack(back: string | undefined): string | undefined {
  return back !== undefined && /^\/(?![/\\])/.test(back) ? back : undefined
}
