import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Palette } from '../palette/palette.tsx'
import { announce } from '../parts/announce.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { useHotkeys } from './hotkeys.ts'
import { PhoneBar } from './phone-bar.tsx'
import { PhoneTabs } from './phone-tabs.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { Sidebar } from './sidebar.tsx'
import { useIsRail } from './use-is-rail.ts'

/** Everything around a page. */
export function AppShell() {
  const environment = useEnvironment()
  const [over, setOver] = useState<'palette' | 'shortcuts'>()
  useHotkeys({ onPalette: () => setOver('palette'), onHelp: () => setOver('shortcuts') })
  useEffect(() => localStorage.setItem('environment', environment.slug), [environment.slug])
  const main = useFocusOnNavigation()
  const isRail = useIsRail()
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <PhoneBar onSearch={() => setOver('palette')} />
      <div className={isRail ? 'app rail' : 'app'}>
        <Sidebar onSearch={() => setOver('palette')} onShortcuts={() => setOver('shortcuts')} />
        <main id="main" ref={main} tabIndex={-1} key={environment.slug}>
          <Outlet />
        </main>
      </div>
      <PhoneTabs />
      {over === 'palette' && <Palette onClose={() => setOver(undefined)} />}
      {over === 'shortcuts' && <ShortcutsDialog onClose={() => setOver(undefined)} />}
    </>
  )
}

/** After a change of page (not of its search) the content has the focus, and the title is announced. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    const first = before.current === undefined
    before.current = path
    if (first) return
    main.current?.focus({ preventScroll: true })
    announce(document.title)
  }, [path])
  return main
}
