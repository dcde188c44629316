/** The right of this tab, among the tabs of its browser, to show something. */
export interface Turn {
  release(): void
}

/** `takes`: at once, and the other tab loses it. `lost` is called when that happens to us. */
export interface TurnOptions {
  signal: AbortSignal
  takes?: boolean
  lost: () => void
}

export type RequestTurn = (name: string, options: TurnOptions) => Promise<Turn | null>

/** Null where there are none, or where the user lets the page store nothing. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}

/**
 * Waits until no other tab has the turn of this name. Null when it was aborted. Nearly all pages have locks: `byMessages`, for
 * those that have none, is in a file that is loaded later.
 */
export function requestTurn(name: string, options: TurnOptions, byMessages: RequestTurn): Promise<Turn | null> {
  const locks = (navigator as { locks?: LockManager }).locks
  return locks ? byLock(locks, name, options, byMessages) : byMessages(name, options)
}

function byLock(locks: LockManager, name: string, turn: TurnOptions, byMessages: RequestTurn): Promise<Turn | null> {
  const { signal, takes, lost } = turn
  return new Promise((resolve) => {
    let isHeld = false
    const options: LockOptions = takes ? { steal: true } : { signal }
    locks
      .request(name, options, () => {
        if (signal.aborted) return resolve(null)
        isHeld = true
        return new Promise<void>((release) => {
          resolve({
            release: () => {
              isHeld = false
              release()
            },
          })
        })
      })
      .catch((error: unknown) => {
        // Aborted while it waited, or another tab has taken it. A page that may store nothing may not use locks.
        if (isHeld) lost()
        resolve((error as Error)?.name === 'SecurityError' ? byMessages(name, turn) : null)
      })
  })
}
