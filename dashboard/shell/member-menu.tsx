import { useNavigate } from '@tanstack/react-router'
import { Avatar } from '../parts/avatar.tsx'
import { setLetters, useLetters } from '../parts/letters.ts'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../parts/menu.tsx'
import { setTheme, type Theme, useTheme } from '../parts/theme.ts'
import { signOut } from '../session/queries.ts'
import { useEnvironment, useSession } from '../session/use-session.ts'

const THEMES = [
  { value: 'system', label: 'As the system', icon: 'screen' },
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
] as const

/** The sheet of a phone has no keyboard, and its own link to the account. */
export function MemberMenu({ onShortcuts }: { onShortcuts?: () => void }) {
  const { member } = useSession()
  const { slug } = useEnvironment()
  const navigate = useNavigate()
  const theme = useTheme()
  const letters = useLetters()
  async function leave() {
    await signOut()
    await navigate({ to: '/sign-in' })
  }
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button type="button" className="me">
          <Avatar name={member.name} />
          <span className="clip">{member.name}</span>
          <span className="sr">: account and appearance</span>
        </button>
      }
    >
      <p className="menu-head">
        <span className="clip">{member.email}</span>
        <span className="tag">{member.role}</span>
      </p>
      {onShortcuts && (
        <>
          <MenuItem
            icon="users"
            onSelect={() => void navigate({ to: '/$environment/account', params: { environment: slug } })}
          >
            Your account
          </MenuItem>
          <MenuItem icon="keyboard" onSelect={onShortcuts}>
            Keyboard
          </MenuItem>
          <MenuItem icon={letters ? 'check' : 'x'} onSelect={() => setLetters(!letters)}>
            {letters ? 'Single-letter keys are on' : 'Single-letter keys are off'}
          </MenuItem>
          <MenuLine />
        </>
      )}
      <MenuChoice label="Theme" value={theme} options={[...THEMES]} onChange={(value) => setTheme(value as Theme)} />
      <MenuLine />
      <MenuItem icon="exit" onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
