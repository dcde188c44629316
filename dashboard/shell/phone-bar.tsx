import { Link } from '@tanstack/react-router'
import { IconButton } from '../parts/icon-button.tsx'
import { Mark } from '../parts/mark.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { EnvironmentSwitcher } from './environment-switcher.tsx'

/** The top of a phone: mark, environment, search. */
export function PhoneBar({ onSearch }: { onSearch: () => void }) {
  const { slug } = useEnvironment()
  return (
    <header className="m-top">
      <Link to="/$environment" params={{ environment: slug }} aria-label="Usher, home" className="m-mark">
        <Mark />
      </Link>
      <EnvironmentSwitcher />
      <IconButton icon="search" label="Search" onClick={onSearch} />
    </header>
  )
}
