import { type FormEvent, useState } from 'react'
import { call } from '../api.ts'
import { counted } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Select } from '../parts/select.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { type Environment, useSession } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'

export function CopyDescriptionsDialog({ environment, onClose }: { environment: Environment; onClose: () => void }) {
  const others = useSession().environments.filter(({ slug }) => slug !== environment.slug)
  const [from, setFrom] = useState(others[0]?.slug ?? null)
  const { run, running, problem } = useAction(async () => {
    if (!from) return
    const { events, attributes } = await call('copyDescriptions', { environment: environment.slug, from })
    await queryClient.invalidateQueries({ queryKey: [environment.slug] })
    toast(`Copied to ${counted(events, 'event')} and ${counted(attributes, 'attribute')}.`)
    onClose()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    void run()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Copy descriptions into ${environment.name}`}
      about="Display names and descriptions of the events and attributes that both environments have, and what pages may do with these attributes. They replace those here."
    >
      <form onSubmit={submit} className="dialog-form">
        {others.length === 0 ? (
          <p className="t2">There is no other environment to copy from.</p>
        ) : (
          <Select
            label="From"
            value={from}
            options={others.map(({ slug, name }) => ({ value: slug, label: name }))}
            onChange={setFrom}
          />
        )}
        {problem && (
          <p className="problem-text" role="alert">
            {problem}
          </p>
        )}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!from} busy={running && 'Copying…'}>
            Copy descriptions
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
