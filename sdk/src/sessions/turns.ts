/** The right of this tab, among the tabs of its browser, to show something. */
export interface Turn {
  release(): void
}

/**
 * Waits until no other tab has the turn of this name. `takes`: at once, and the other tab loses it. `lost` is called when that
 * happens to us. Null when it was aborted.
 */
export function requestTurn(
  name: string,
  options: { signal: AbortSignal; takes?: boolean; lost: () => void },
): Promise<Turn | null> {
  const locks = (navigator as { locks?: LockManager }).locks
  return locks ? byLock(locks, name, options) : byMessages(name, options)
}

function byLock(
  locks: LockManager,
  name: string,
  { signal, takes, lost }: { signal: AbortSignal; takes?: boolean; lost: () => void },
): Promise<Turn | null> {
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
      .catch(() => {
        // Aborted while it waited, or another tab has taken it.
        if (isHeld) lost()
        resolve(null)
      })
  })
}

/** For pages without Web Locks, which need https. Tabs ask each other; the one with the smaller number wins. */
const ANSWER_MS = 200

function byMessages(
  name: string,
  { signal, takes, lost }: { signal: AbortSignal; takes?: boolean; lost: () => void },
): Promise<Turn | null> {
  // Then each tab is a browser of its own for the server (identity/browser-id.ts).
  if (typeof BroadcastChannel === 'undefined') return Promise.resolve({ release: () => {} })
  const channel = new BroadcastChannel(name)
  const own = Math.random()
  let isHeld = false
  let isTaken = false
  const end = () => {
    isHeld = false
    channel.close()
  }
  return new Promise((resolve) => {
    const ask = () => {
      if (signal.aborted) {
        end()
        return resolve(null)
      }
      isTaken = false
      channel.postMessage({ asks: own, takes: takes === true })
      setTimeout(() => {
        if (isTaken && !takes) return void setTimeout(ask, ANSWER_MS * 5 * Math.random())
        isHeld = true
        resolve({ release: end })
      }, ANSWER_MS)
    }
    channel.onmessage = ({ data }: MessageEvent<{ asks?: number; takes?: boolean; held?: boolean }>) => {
      if (data.held) isTaken = true
      if (data.asks === undefined) return
      if (isHeld && data.takes) {
        end()
        lost()
      } else if (isHeld || own < data.asks) channel.postMessage({ held: true })
    }
    signal.addEventListener('abort', () => !isHeld && end(), { once: true })
    ask()
  })
}
