import { Toast } from '@base-ui/react/toast'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'

const manager = Toast.createToastManager()

const SHOWN_MS = 6000

/** For successes elsewhere on the page. Failures are shown where they happened. */
export function toast(text: string): void {
  manager.add({ title: text, timeout: SHOWN_MS })
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((item) => (
    <Toast.Root key={item.id} toast={item} className="toast">
      <Icon name="check" />
      <Toast.Title render={<span />} />
      <span className="end">
        <Toast.Close render={<IconButton icon="x" label="Close" small />} />
      </span>
    </Toast.Root>
  ))
}
