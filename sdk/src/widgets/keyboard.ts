import type { SetVariable } from './sheets.ts'

/** A keyboard on the screen covers the lower part of the page: sheets stay above it. */
export function followKeyboard(set: SetVariable): () => void {
  const view = window.visualViewport as VisualViewport
  const follow = () => {
    // Fingers that zoom make the view smaller, too.
    const covered = Math.max(0, window.innerHeight - (view.height + view.offsetTop) * view.scale)
    set('--kb', `${Math.round(covered)}px`)
  }
  follow()
  view.addEventListener('resize', follow)
  view.addEventListener('scroll', follow)
  return () => {
    view.removeEventListener('resize', follow)
    view.removeEventListener('scroll', follow)
  }
}
