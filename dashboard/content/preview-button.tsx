import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { useInPlaceActs } from './use-in-place-acts.ts'

/** The draft in the application: at once, or as a user and on another page. */
export function PreviewButton() {
  const { reason, open, ask } = useInPlaceActs()
  return (
    <span className="pair with-menu">
      <Button icon="play" reason={reason} data-hotkey="p" onClick={() => open({ purpose: 'preview' })}>
        Preview
      </Button>
      <Menu
        trigger={
          <button type="button" className="btn" aria-label="More ways to preview">
            <Icon name="down" />
          </button>
        }
      >
        <MenuItem icon="users" reason={reason} onSelect={() => ask({ purpose: 'preview' })}>
          As a user, or on another page…
        </MenuItem>
      </Menu>
    </span>
  )
}
