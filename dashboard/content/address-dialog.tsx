import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { useEnvironment } from '../session/use-session.ts'
import type { Wish } from './use-in-place-acts.ts'
import { type FoundUser, UserChoice } from './user-choice.tsx'

export interface Asked {
  address: string
  /** The id of the user as whom it is previewed. */
  user?: string | undefined
}

type Props = {
  wish: Wish
  address: string | null
  problem: string | undefined
  busy: boolean
  onOpen: (asked: Asked) => void
  onClose: () => void
}

/** Where the application is. It is remembered with the content. */
export function AddressDialog({ wish, address, problem, busy, onOpen, onClose }: Props) {
  const { slug: environment } = useEnvironment()
  const [text, setText] = useState(address ?? '')
  const [user, setUser] = useState<FoundUser>()
  const first = useRef<HTMLInputElement>(null)
  const isPreview = wish.purpose === 'preview'
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!busy) onOpen({ address: text.trim(), user: user?.id })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      focus={first}
      title={isPreview ? 'Preview in your app' : 'Pick in your app'}
      about={
        isPreview
          ? 'A page of your application opens in a new tab and shows the draft. Only you see it, and nothing is stored, tracked or counted.'
          : 'A page of your application opens in a new tab. Point at the element there, and confirm it here.'
      }
    >
      <form className="dialog-form" onSubmit={submit} noValidate>
        <Field
          ref={first}
          label="Page of your application"
          type="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://app.example.com/"
          value={text}
          problem={problem}
          onChange={(event) => setText(event.target.value)}
        />
        {isPreview && (
          <div className="field">
            <span className="t2">As a user</span>
            <UserChoice label="As a user" none="Nobody: texts show their fallbacks" value={user} onChange={setUser} />
            <small className="t2">
              The page shows their receipt beside the draft. Scripts of the page can read both.
            </small>
          </div>
        )}
        <p className="t2 s12">
          The page needs the script, and its origin must be allowed:{' '}
          <Link className="link" to="/$environment/settings/install" params={{ environment }}>
            Install
          </Link>
          .
        </p>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy && 'Opening…'}>
            Open the page
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
