import { Link } from '@tanstack/react-router'
import { Hint } from '../parts/hint.tsx'
import { Icon } from '../parts/icon.tsx'
import { Mark } from '../parts/mark.tsx'
import { isMac } from '../parts/platform.ts'
import { useEnvironment } from '../session/use-session.ts'
import { EnvironmentSwitcher } from './environment-switcher.tsx'
import { FailingCount } from './failing-count.tsx'
import { MemberMenu } from './member-menu.tsx'
import { type Destination, NAVIGATION } from './navigation.ts'
import { ThemeSwitch } from './theme-switch.tsx'

export function Sidebar({ onSearch, onShortcuts }: { onSearch: () => void; onShortcuts: () => void }) {
  const { slug } = useEnvironment()
  return (
    <aside className="side" aria-label="Sidebar">
      <Link className="brand" to="/$environment" params={{ environment: slug }}>
        <Mark />
        <span>Usher</span>
      </Link>
      <EnvironmentSwitcher />
      <button type="button" className="find" onClick={onSearch} aria-keyshortcuts="Meta+K Control+K">
        <Icon name="search" />
        <span>Search</span>
        <kbd aria-hidden="true">{isMac() ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <nav className="nav" aria-label="Main">
        {NAVIGATION.map(({ label, items }) => (
          <div key={label ?? 'first'}>
            {label && <h2>{label}</h2>}
            {items.map((item) => (
              <Item key={item.to} item={item} />
            ))}
          </div>
        ))}
      </nav>
      <div className="foot">
        <a href="/docs/reference">
          <Icon name="book" />
          <span>API reference</span>
        </a>
        <div className="me-row">
          <MemberMenu onShortcuts={onShortcuts} />
          <ThemeSwitch />
        </div>
      </div>
    </aside>
  )
}

function Item({ item }: { item: Destination }) {
  const { slug } = useEnvironment()
  const link = (
    <Link
      to={item.to}
      params={{ environment: slug }}
      activeOptions={{ exact: item.to === '/$environment', includeSearch: false }}
      activeProps={{ className: 'on' }}
    >
      <Icon name={item.icon} />
      <span>{item.label}</span>
      {item.icon === 'webhooks' && <FailingCount />}
    </Link>
  )
  return (
    <div className="nav-item">
      <Hint text={item.label} side="right">
        {link}
      </Hint>
    </div>
  )
}
