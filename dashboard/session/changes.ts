const channel = new BroadcastChannel('usher-session')

/** Tells the other tabs, and the worker that they share, that somebody has signed in or out here. */
export function announceSessionChange(): void {
  channel.postMessage('changed')
}

/** Calls the listener when somebody has signed in or out in another tab. */
export function onSessionChange(listener: () => void): void {
  channel.addEventListener('message', listener)
}
