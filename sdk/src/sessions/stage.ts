import type { Action, ContentType } from '../../../contract/content/document.ts'
import type { RenderedCondition } from '../../../contract/content/rendered.ts'
import type { UsherEvent } from '../methods.ts'
import type { Surroundings } from '../widgets/host.ts'
import type { Session } from './session.ts'

/** What a run needs of the page and of the engine. */
export interface Stage {
  readonly around: Surroundings
  holds(condition: RenderedCondition, session: Session): boolean
  link(href: string): string | null
  follow(href: string): boolean
  /** Everything of these actions that does not lead through the flow. */
  perform(actions: readonly Action[], session: Session): void
  emit(event: UsherEvent, detail: unknown): void
  /** The run is over, and its slot is free. */
  over(run: Run): void
  /** It was hidden for so long that it gives up its slot; it asks for it again by `wantsBack`. */
  parked(run: Run): void
}

/** A session on the screen. */
export interface Run {
  readonly slot: ContentType
  readonly session: Session
  /** Something in the page may have changed. It puts its widget back where it belongs. */
  changed(): void
  /** The page has changed this very moment. */
  glance?(): void
  /** The user did something somewhere in the page. */
  acted(event: Event): void
  tick(): void
  /** Tells the answers that were given. */
  flush(): void
  /** Off the screen, without a report. */
  remove(): void
  /** Ends it, as `endAll` does. */
  end(): void
  /** Tasks that the server knows to be done. */
  learn?(tasks: readonly string[]): void
  /** Something of it was on the screen, so that it is a session. */
  readonly isSeen?: boolean
  /** A parked run: what it waits for is there. */
  wantsBack?(): boolean
  /** A parked run has its slot again, by a new claim. */
  resume?(session: Session): void
}
