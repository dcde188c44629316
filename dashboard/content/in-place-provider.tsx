import { type ReactNode, useState } from 'react'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { AddressDialog, type Asked } from './address-dialog.tsx'
import { useInPlace } from './in-place.ts'
import { reloadContent } from './queries.ts'
import { useContent } from './use-draft.ts'
import { InPlaceContext, type Wish } from './use-in-place-acts.ts'

/** *Pick*, *Preview* and *Open in your app* of all pages of a content: one tab is followed at a time. */
export function InPlaceProvider({ children }: { children: ReactNode }) {
  const { slug: environment } = useEnvironment()
  const { detail, store, version } = useContent()
  const role = useReason('openInPlace')
  const tab = useInPlace({ environment, content_id: detail.id })
  const [wish, setWish] = useState<Wish>()
  const [asked, setAsked] = useState<Wish>()
  const { run, running, problem, clear } = useAction(async (wanted: Wish, { address, user }: Asked) => {
    await tab.open(async () => {
      // The tab reads the draft that the server has.
      await store.settle()
      const as = user === undefined ? {} : { user_id: user }
      const step = wanted.step === undefined ? {} : { step: wanted.step }
      return { address, purpose: wanted.purpose, ...step, ...as }
    })
    setWish(wanted)
    setAsked(undefined)
    if (address !== detail.address) await reloadContent(environment)
  })
  const ask = (wanted: Wish) => {
    clear()
    setAsked(wanted)
  }
  const open = (wanted: Wish) => {
    if (detail.address === null) return ask(wanted)
    // What goes wrong is said where it can be changed.
    void run(wanted, { address: detail.address }).then((isDone) => isDone || setAsked(wanted))
  }
  const reason = role ?? (version ? 'The draft is opened, not an older version' : undefined)
  return (
    <InPlaceContext value={{ reason, open, ask, wish, tab }}>
      {children}
      {asked && (
        <AddressDialog
          wish={asked}
          address={detail.address}
          problem={problem}
          busy={running}
          onOpen={(given) => void run(asked, given)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </InPlaceContext>
  )
}
