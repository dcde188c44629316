import type { Definitions } from './attributes.ts'
import { type BatchOperation, type BatchOptions, type BatchResults, sendBatch } from './batch.ts'
import { readOptions, type UsherOptions } from './options.ts'
import { ContentResource, Themes } from './resources/content.ts'
import { ContentSessions } from './resources/content-sessions.ts'
import { Decisions } from './resources/decisions.ts'
import { AttributeDefinitions, EventDefinitions } from './resources/definitions.ts'
import { Events } from './resources/events.ts'
import { Groups } from './resources/groups.ts'
import { Memberships } from './resources/memberships.ts'
import { Segments } from './resources/segments.ts'
import { Users } from './resources/users.ts'
import { WebhookSubscriptions } from './resources/webhook-subscriptions.ts'
import { Transport } from './transport.ts'

/** A client for one environment of an Usher server. `D` declares the attributes of the application. */
export class Usher<D extends Definitions = Definitions> {
  readonly users: Users<D>
  readonly groups: Groups<D>
  readonly memberships: Memberships
  readonly events: Events<D>
  readonly attributeDefinitions: AttributeDefinitions
  readonly eventDefinitions: EventDefinitions
  readonly segments: Segments
  readonly contentSessions: ContentSessions
  readonly webhookSubscriptions: WebhookSubscriptions
  readonly content: ContentResource
  readonly themes: Themes
  readonly decisions: Decisions
  readonly #transport: Transport

  constructor(options: UsherOptions) {
    this.#transport = new Transport(readOptions(options))
    this.users = new Users(this.#transport)
    this.groups = new Groups(this.#transport)
    this.memberships = new Memberships(this.#transport)
    this.events = new Events(this.#transport)
    this.attributeDefinitions = new AttributeDefinitions(this.#transport)
    this.eventDefinitions = new EventDefinitions(this.#transport)
    this.segments = new Segments(this.#transport)
    this.contentSessions = new ContentSessions(this.#transport)
    this.webhookSubscriptions = new WebhookSubscriptions(this.#transport)
    this.content = new ContentResource(this.#transport)
    this.themes = new Themes(this.#transport)
    this.decisions = new Decisions(this.#transport)
  }

  /** Up to 1,000 operations in one request, applied in order; one result each, in order. */
  batch<const Given extends readonly BatchOperation<D>[]>(
    operations: Given,
    options: BatchOptions = {},
  ): Promise<BatchResults<D, Given>> {
    return sendBatch(this.#transport, operations, options)
  }
}
