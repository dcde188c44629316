// As EDIT_FRAGMENT of the contract. Behind a fragment of the application itself, such as that of a router, it follows a `&`.
const TOKEN = /[#&]usher-edit=([\w-]{1,100})$/

/**
 * Takes the one-time token of edit mode out of the address, before anything else of ours runs. It stands in no referrer, since
 * browsers send no fragments, and in no entry of the history, since this one is replaced.
 */
export function takeEditToken(): string | null {
  const [found, token] = TOKEN.exec(location.href) ?? []
  if (!found || !token) return null
  history.replaceState(history.state, '', location.href.slice(0, -found.length))
  return token
}
