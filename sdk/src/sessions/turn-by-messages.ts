import { openChannel, type Turn, type TurnOptions } from './turns.ts'

const ANSWER_MS = 200

/** For pages without Web Locks, which need https. Tabs ask each other; the one with the smaller number wins. */
export function byMessages(name: string, { signal, takes = false, lost }: TurnOptions): Promise<Turn | null> {
  const channel = openChannel(name)
  // Then each tab is a browser of its own for the server (identity/browser-id.ts).
  if (!channel) return Promise.resolve({ release: () => {} })
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
      channel.postMessage({ asks: own, takes })
      setTimeout(() => {
        if (isTaken && !takes) return void setTimeout(ask, ANSWER_MS * 5 * Math.random())
        isHeld = true
        resolve({ release: end })
      }, ANSWER_MS)
    }
    channel.onmessage = ({ data }: MessageEvent<{ asks?: number; takes?: boolean; held?: boolean } | null>) => {
      if (data?.held) isTaken = true
      if (typeof data?.asks !== 'number') return
      if (isHeld && data.takes) {
        end()
        lost()
      } else if (isHeld || (takes === data.takes ? own < data.asks : takes)) channel.postMessage({ held: true })
      // The other one wins, also when it came after we had asked: by its number, or since the user wants it there.
      else isTaken = true
    }
    signal.addEventListener('abort', () => !isHeld && end(), { once: true })
    ask()
  })
}
