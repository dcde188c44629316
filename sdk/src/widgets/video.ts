import { safeSource } from './address.ts'
import { element } from './element.ts'

export function drawVideo(source: string, title: string): HTMLElement[] {
  const src = safeSource(source)
  const attributes = { src: src ?? '', title, loading: 'lazy', allow: 'fullscreen; picture-in-picture' }
  const sandbox = 'allow-scripts allow-same-origin allow-presentation allow-popups'
  return src
    ? [
        element(
          'div',
          { class: 'video' },
          element('iframe', { ...attributes, sandbox, referrerpolicy: 'strict-origin-when-cross-origin' }),
        ),
      ]
    : []
}
