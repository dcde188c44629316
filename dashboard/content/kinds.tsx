import type { ContentType } from '../../contract/content/document.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { State } from '../parts/state.tsx'
import type { SHOWN_STATES } from './content-search.ts'
import type { ContentState } from './queries.ts'

export const KINDS: readonly { type: ContentType; many: string }[] = [
  { type: 'flow', many: 'Flows' },
  { type: 'checklist', many: 'Checklists' },
  { type: 'banner', many: 'Banners' },
  { type: 'launcher', many: 'Launchers' },
]

export function KindGlyph({ icon, large }: { icon: IconName; large?: boolean }) {
  return (
    <span className={large ? 'kind lg' : 'kind'}>
      <Icon name={icon} />
    </span>
  )
}

const STATES = {
  published: { tone: 'ok', shape: 'full', word: 'Published' },
  changed: { tone: 'info', shape: 'half', word: 'Changed' },
  draft: { tone: 'mute', shape: 'dashed', word: 'Draft' },
  paused: { tone: 'mute', shape: 'ring', word: 'Paused' },
} as const

export type ShownState = (typeof SHOWN_STATES)[number]

/** Published content is paused while the guidance of the environment is off. */
export const shownState = (state: ContentState, isOff: boolean): ShownState =>
  isOff && state !== 'draft' ? 'paused' : state

export const stateWord = (state: ShownState): string => STATES[state].word

export function ContentStateLabel({ state, badge }: { state: ShownState; badge?: boolean }) {
  const { tone, shape, word } = STATES[state]
  return (
    <State tone={tone} shape={shape} {...(badge ? { badge } : {})}>
      {word}
    </State>
  )
}
