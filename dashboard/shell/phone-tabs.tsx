import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { FailingCount } from './failing-count.tsx'
import { MemberMenu } from './member-menu.tsx'
import { type Destination, PAGES } from './navigation.ts'

const TABS = ['Home', 'Content', 'Users', 'Live']
const tabs = TABS.flatMap((label) => PAGES.filter((page) => page.label === label))
const rest = PAGES.filter((page) => !TABS.includes(page.label))

/** The foot of a phone; More is a sheet with the rest. */
export function PhoneTabs() {
  const [more, setMore] = useState(false)
  return (
    <nav className="m-tabs" aria-label="Main">
      {tabs.map((page) => (
        <Tab key={page.to} page={page} />
      ))}
      <button type="button" aria-haspopup="dialog" onClick={() => setMore(true)}>
        <Icon name="menu" />
        More
        <FailingCount />
      </button>
      {more && (
        <Dialog open onClose={() => setMore(false)} title="More">
          <nav className="sheet" aria-label="More pages">
            {rest.map((page) => (
              <Tab key={page.to} page={page} onSelect={() => setMore(false)} />
            ))}
            <a href="/docs">
              <Icon name="book" />
              API reference
            </a>
          </nav>
          <MemberMenu />
        </Dialog>
      )}
    </nav>
  )
}

function Tab({ page, onSelect }: { page: Destination; onSelect?: () => void }) {
  const { slug } = useEnvironment()
  return (
    <Link
      to={page.to}
      params={{ environment: slug }}
      activeOptions={{ exact: page.to === '/$environment', includeSearch: false }}
      activeProps={{ className: 'on' }}
      onClick={() => onSelect?.()}
    >
      <Icon name={page.icon} />
      {page.label}
    </Link>
  )
}
