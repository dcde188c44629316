import { type FormEvent, useRef, useState } from 'react'
import { dashboardLimits } from '../../contract/dashboard/limits.ts'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { toast } from '../parts/toast.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { reloadContent } from './queries.ts'

const HOUR_SECONDS = 3600
const MOST_HOURS = dashboardLimits.quietSeconds / HOUR_SECONDS

/** The quiet period of an environment: after a flow has ended, none starts by itself for so long. */
export function QuietDialog({ seconds, onClose }: { seconds: number; onClose: () => void }) {
  const { slug: environment, name } = useEnvironment()
  const [typed, setTyped] = useState(String(seconds / HOUR_SECONDS))
  const first = useRef<HTMLInputElement>(null)
  const hours = Number(typed.replace(',', '.'))
  const isHours = typed.trim() !== '' && hours >= 0 && hours <= MOST_HOURS
  const save = useAction(async () => {
    await call('updateGuidance', { environment, quiet_seconds: Math.round(hours * HOUR_SECONDS) })
    await reloadContent(environment)
    toast('The quiet period is changed.')
    onClose()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isHours) void save.run()
  }
  const about =
    'After a flow has ended, no other starts by itself for so long. It counts at once, for all published flows.'
  return (
    <Dialog open onClose={onClose} focus={first} title={`Quiet period of ${name}`} about={about}>
      <form onSubmit={submit} className="dialog-form" noValidate>
        <Field
          ref={first}
          label="Hours"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          problem={isHours ? save.problem : `A number of hours, 0 to ${MOST_HOURS}. 0 is none.`}
          onChange={(event) => setTyped(event.target.value)}
        />
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.running && 'Saving…'}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
