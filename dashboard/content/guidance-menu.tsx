import { useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { toast } from '../parts/toast.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type Guidance, reloadContent } from './queries.ts'
import { QuietDialog } from './quiet-dialog.tsx'

/** The switch that hides all content, and who may publish. */
export function GuidanceMenu({ guidance }: { guidance: Guidance }) {
  const { slug: environment, name } = useEnvironment()
  const reason = useReason('updateGuidance')
  const [asks, setAsks] = useState(false)
  const [quiets, setQuiets] = useState(false)
  const change = async (to: Partial<Pick<Guidance, 'is_off' | 'members_may_publish'>>) => {
    await call('updateGuidance', { environment, ...to })
    await reloadContent(environment)
  }
  const { run, running, problem } = useAction(change)
  const membersMay = guidance.members_may_publish
  return (
    <>
      {problem && (
        <small className="problem-text" role="alert">
          {problem}
        </small>
      )}
      {guidance.is_off && (
        <Button
          icon="play"
          reason={reason}
          busy={running && 'Turning on…'}
          onClick={() => void run({ is_off: false }).then((done) => done && toast('Guidance is on.'))}
        >
          Turn guidance on
        </Button>
      )}
      <Menu trigger={<Button className="square" aria-label="Settings of guidance" icon="more" />}>
        {!guidance.is_off && (
          <MenuItem icon="pause" danger reason={reason} onSelect={() => setAsks(true)}>
            Turn guidance off…
          </MenuItem>
        )}
        <MenuItem icon="clock" reason={reason} onSelect={() => setQuiets(true)}>
          Quiet period…
        </MenuItem>
        <MenuItem icon="members" reason={reason} onSelect={() => void run({ members_may_publish: !membersMay })}>
          {membersMay ? 'Let only admins publish' : 'Let members publish'}
        </MenuItem>
      </Menu>
      {quiets && <QuietDialog seconds={guidance.quiet_seconds} onClose={() => setQuiets(false)} />}
      {asks && (
        <ConfirmDialog
          title={`Turn guidance off in ${name}?`}
          about="Within a second nobody sees any content of this environment. Nothing is deleted, and runs go on when it is on again."
          act="Turn off"
          busy="Turning off…"
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            await change({ is_off: true })
            toast('Guidance is off.')
          }}
        />
      )}
    </>
  )
}
