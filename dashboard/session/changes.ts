const channel = new BroadcastChannel('usher-session')

/** Notifies the other tabs, and their shared worker, of a sign-in or sign-out in this tab. */
export function announceSessionChange(): void {
  channel.postMessage('changed')
}

/** Calls the listener after a sign-in or sign-out in another tab, until the answer is called. */
export function onSessionChange(listener: () => void): () => void {
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}
