import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { announce } from '../parts/announce.tsx'
import { hasReturnedFocus } from '../parts/last-row.ts'
import { useEnvironment } from '../session/use-session.ts'
import { useHotkeys } from './hotkeys.ts'
import { useKeptFocus } from './kept-focus.ts'
import { PhoneBar } from './phone-bar.tsx'
import { PhoneTabs } from './phone-tabs.tsx'
import { Sidebar } from './sidebar.tsx'
import { useIsRail } from './use-is-rail.ts'

const loadPalette = async () => ({ default: (await import('../palette/palette.tsx')).Palette })
const Palette = lazy(loadPalette)
const ShortcutsDialog = lazy(async () => ({ default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog }))

/** Everything around a page. */
export function AppShell() {
  const environment = useEnvironment()
  const [over, setOver] = useState<'palette' | 'shortcuts'>()
  useHotkeys({ onPalette: () => setOver('palette'), onHelp: () => setOver('shortcuts') })
  usePaletteAtHand()
  useEffect(() => localStorage.setItem('environment', environment.slug), [environment.slug])
  const main = useFocusOnNavigation()
  useKeptFocus(main)
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
      <Suspense>
        {over === 'palette' && <Palette onClose={() => setOver(undefined)} />}
        {over === 'shortcuts' && <ShortcutsDialog onClose={() => setOver(undefined)} />}
      </Suspense>
    </>
  )
}

/** The palette is loaded when a key or a button is first pressed, so that it is there when its shortcut is complete. */
function usePaletteAtHand(): void {
  useEffect(() => {
    const ended = new AbortController()
    const load = () => {
      ended.abort()
      loadPalette().catch(() => {})
    }
    for (const name of ['keydown', 'pointerdown']) addEventListener(name, load, { signal: ended.signal, passive: true })
    return () => ended.abort()
  }, [])
}

/** After a change of page (not of its search) the content or a row that Back led to has the focus, and the title is announced. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    const first = before.current === undefined
    before.current = path
    if (first) return
    if (!hasReturnedFocus()) main.current?.focus({ preventScroll: true })
    announce(document.title)
  }, [path])
  return main
}
