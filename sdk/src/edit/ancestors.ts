/** The element around this one, also around the shadow root that it is in. */
export function wider(target: Element): Element | null {
  const parent = target.parentElement ?? (target.getRootNode() as Partial<ShadowRoot>).host ?? null
  return parent && parent !== document.documentElement ? parent : null
}

/** The element and those around it, the widest first. */
export function pathTo(target: Element, most: number): Element[] {
  const path: Element[] = []
  for (let one: Element | null = target; one && one !== document.body && path.length < most; one = wider(one))
    path.unshift(one)
  return path
}

const CONTROLS = 'button,a[href],input,select,textarea,summary,label,[role],[data-testid],[data-usher]'
const MOST_LEVELS = 3

/** What a person means who points at this: the control around an icon or a word, where it is near. */
export function meantBy(target: Element): Element {
  let meant = target.closest('svg') ?? target
  for (let level = 0, one: Element | null = meant; one && level <= MOST_LEVELS; level++, one = one.parentElement) {
    if (!one.matches(CONTROLS)) continue
    meant = one
    break
  }
  return meant
}

export const FRAMES = 'iframe,frame,object,embed'

/** Frames are not searched. The words for an element that is one; null for others. */
export function frameSentence(target: Element): string | null {
  if (!target.matches(FRAMES)) return null
  let isReachable = false
  try {
    isReachable = Boolean((target as HTMLIFrameElement).contentDocument)
  } catch {
    // Another site's.
  }
  return isReachable
    ? 'This is a frame. Usher does not look into frames: choose the frame itself, or an element around it.'
    : 'This part belongs to another site and cannot be reached. Choose the frame itself, or an element around it.'
}
