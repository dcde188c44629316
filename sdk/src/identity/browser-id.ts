const KEY = 'usher.browser'

/** Made here. */
let own: string | null = null

/** The id of this browser, the same in all its tabs. Where a page may store nothing, it lasts as long as the page. */
export function browserId(): string {
  const known = storedId()
  if (known && /^[\w-]{8,64}$/.test(known)) return known
  own ??= newId()
  storedId(own)
  return own
}

/** Who shows what: this browser, or this page alone where the tabs of a browser cannot agree. The server then decides between them. */
export function holderId(): string {
  if ('locks' in navigator || typeof BroadcastChannel !== 'undefined') return browserId()
  own ??= newId()
  return own
}

/** After a sign-out the next person is somebody else. `tells`: other tabs hear of it. */
export function forgetBrowser(tells: boolean): void {
  own = null
  if (tells) storedId('')
}

/** Whether another tab has told so. */
export function isForgetting({ key, newValue }: StorageEvent): boolean {
  return key === KEY && newValue === ''
}

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Stores an id, if one is given. Null in private mode, and on a page that forbids storage. */
export function storedId(id?: string): string | null {
  try {
    if (id !== undefined) localStorage.setItem(KEY, id)
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
