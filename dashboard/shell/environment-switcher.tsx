import { Combobox } from '@base-ui/react/combobox'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment, useReason, useSession } from '../session/use-session.ts'
import { pageIn } from './page-in.ts'

type Item = { slug: string; name: string; is_first: boolean }

const SEARCH_FROM = 8
const CreateEnvironmentDialog = lazy(async () => ({
  default: (await import('../environments/create-environment-dialog.tsx')).CreateEnvironmentDialog,
}))

/** The environment scopes all below it. Switching keeps the page. */
export function EnvironmentSwitcher() {
  const { environments } = useSession()
  const current = useEnvironment()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [creating, setCreating] = useState(false)
  return (
    <>
      <Combobox.Root
        items={environments}
        value={current as Item}
        itemToStringLabel={(item) => item.name}
        isItemEqualToValue={(a, b) => a.slug === b.slug}
        onValueChange={(next) => next && void navigate({ href: pageIn(pathname, next.slug) })}
      >
        <Combobox.Trigger className="env" aria-label={`Environment: ${current.name}`}>
          <Square environment={current} />
          <span className="clip">{current.name}</span>
          <Icon name="updown" />
        </Combobox.Trigger>
        <Combobox.Portal>
          <Combobox.Positioner className="layer" sideOffset={4} align="start">
            <Combobox.Popup className="menu env-menu" aria-label="Environments">
              {environments.length >= SEARCH_FROM && (
                <Combobox.Input className="menu-search" placeholder="Search…" aria-label="Search environments" />
              )}
              <Combobox.Empty className="menu-empty">No environment has this name.</Combobox.Empty>
              <Combobox.List className="menu-list">
                {(item: Item) => (
                  <Combobox.Item key={item.slug} value={item} className="menu-item">
                    <Square environment={item} />
                    <span className="clip">{item.name}</span>
                    <Combobox.ItemIndicator className="tick" render={<Icon name="check" />} />
                  </Combobox.Item>
                )}
              </Combobox.List>
              <CreateButton onCreate={() => setCreating(true)} />
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
      <Suspense>{creating && <CreateEnvironmentDialog onClose={() => setCreating(false)} />}</Suspense>
    </>
  )
}

/** Ink for the first environment, amber for every other. */
export const Square = ({ environment }: { environment: { is_first: boolean } }) => (
  <span className={environment.is_first ? 'sw' : 'sw staging'} aria-hidden="true" />
)

function CreateButton({ onCreate }: { onCreate: () => void }) {
  const reason = useReason('createEnvironment')
  return (
    <div className="menu-foot">
      <Button small kind="quiet" icon="plus" reason={reason} onClick={onCreate}>
        Create environment
      </Button>
    </div>
  )
}
