import { IconButton } from '../parts/icon-button.tsx'
import { setTheme, useShownTheme } from '../parts/theme.ts'

/** From light to dark and back; the member's menu can also follow the system. */
export function ThemeSwitch() {
  const shown = useShownTheme()
  return (
    <IconButton
      icon={shown === 'dark' ? 'sun' : 'moon'}
      label={shown === 'dark' ? 'Light' : 'Dark'}
      onClick={() => setTheme(shown === 'dark' ? 'light' : 'dark')}
    />
  )
}
