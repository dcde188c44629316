import { isoTime } from '../clock.ts'
import { type ApiError, errors } from '../errors.ts'
import { type FrequencyClosed, frequencyClosed, quietUntil } from '../history/frequency.ts'
import type { GuidanceRow } from '../history/guidance.ts'
import type { UserHistory } from '../history/user-history.ts'
import type { VersionShape } from './shape.ts'
import { type InSlot, slotHolder } from './slots.ts'

/** What the claim's own transaction read of the content and its environment. */
export type GuidanceFacts = Omit<GuidanceRow, 'contentId'>

/** The gates that every claim passes. */
export function publishedClosed({ publishedVersionId, isOff }: GuidanceFacts): ApiError | undefined {
  if (isOff) return errors.gateClosed('guidance_off', 'All content of this environment is switched off.')
  if (publishedVersionId === null) return errors.gateClosed('not_published', 'The content is not published.')
  return undefined
}

export function versionClosed({ publishedVersionId }: GuidanceFacts, versionId: string): ApiError | undefined {
  if (publishedVersionId === versionId) return undefined
  return errors.gateClosed('version_changed', 'Another version of the content is published now. Decide again.')
}

/** The gates of a start by itself, asked again at the claim. */
export function startClosed(
  history: UserHistory,
  shape: VersionShape,
  { quietMs }: GuidanceFacts,
  now: number,
  except?: string,
): ApiError | undefined {
  const closed = frequencyClosed(shape.when, history.states.get(shape.contentId), now)
  if (closed) return errors.gateClosed(closed.code, frequencyText(closed))
  return quietClosed(history, shape, quietMs, now) ?? slotClosed(history, shape, now, except)
}

/** `once` of a start by hand. */
export function seenClosed(history: UserHistory, { contentId }: VersionShape): ApiError | undefined {
  const isSeen = (history.states.get(contentId)?.started ?? 0) > 0
  return isSeen ? errors.gateClosed('already_seen', frequencyText({ code: 'already_seen' })) : undefined
}

export function slotClosed(history: UserHistory, of: InSlot, now: number, except?: string): ApiError | undefined {
  const holder = slotHolder(history, of, now, except)
  if (!holder) return undefined
  const { type, contentId } = of
  const isThis = holder.contentId === contentId
  if (holder.state === 'claimed')
    return errors.gateClosed(
      'claimed',
      isThis
        ? `Another browser of the user is about to show this ${type}.`
        : `Another ${type} is about to be shown to the user.`,
    )
  return errors.gateClosed(
    'shown_elsewhere',
    isThis ? `Another browser of the user shows this ${type}.` : `The user sees another ${type} at the moment.`,
  )
}

function quietClosed(
  { states }: UserHistory,
  { type, when }: VersionShape,
  quietMs: number,
  now: number,
): ApiError | undefined {
  if (type !== 'flow' || when.exempt_from_quiet || quietMs === 0) return undefined
  const until = quietUntil(states.values(), quietMs, now)
  if (now >= until) return undefined
  return errors.gateClosed('quiet_until', `No flow starts by itself for this user before ${isoTime(until)}.`)
}

function frequencyText(closed: FrequencyClosed): string {
  switch (closed.code) {
    case 'already_seen':
      return 'The user has seen this content, and it is shown once.'
    case 'already_completed':
      return 'The user has completed this content.'
    case 'at_most_reached':
      return `This content was shown to the user ${closed.atMost === 1 ? 'once' : `${closed.atMost} times`}, which is the most.`
    case 'not_again_before':
      return `This content is not shown to the user again before ${isoTime(closed.until)}.`
    default:
      return closed satisfies never
  }
}
