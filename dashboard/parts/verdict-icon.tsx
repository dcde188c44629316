import { Icon } from './icon.tsx'

/** Before the sentence that says how it goes. Mute: there is nothing to say yet. */
export type VerdictLevel = 'ok' | 'warn' | 'bad' | 'mute'

const ICONS = { ok: 'check', warn: 'alert', bad: 'alert', mute: 'info' } as const

export const VerdictIcon = ({ level }: { level: VerdictLevel }) => <Icon name={ICONS[level]} />
