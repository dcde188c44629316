// Made by generate.ts from the schemas of the contract. Do not edit.

/** An end user of the application. */
export interface User {
  /** The caller's own id of the user. */
  id: string
  /** Always `user`. */
  object: 'user'
  /** All attributes of the user. */
  attributes: { [name: string]: string | number | boolean }
  /** When the user was created in the service. */
  created_at: string
  /** Null unless expanded with `expand=groups`. */
  groups: Group[] | null
  /** Null unless expanded with `expand=memberships`. */
  memberships: GroupMembership[] | null
}

/** A group of users, such as a company or a team. */
export interface Group {
  /** The caller's own id of the group. */
  id: string
  /** Always `group`. */
  object: 'group'
  /** All attributes of the group. */
  attributes: { [name: string]: string | number | boolean }
  /** When the group was created in the service. */
  created_at: string
  /** Null unless expanded with `expand=memberships`. */
  memberships: GroupMembership[] | null
  /** Null unless expanded with `expand=users`. */
  users: User[] | null
}

/** The link between one user and one group, with what describes the user in that group only. */
export interface GroupMembership {
  /** Assigned by the service; the same for the same user and group. */
  id: string
  /** Always `group_membership`. */
  object: 'group_membership'
  /** The attributes of the membership. */
  attributes: { [name: string]: string | number | boolean }
  /** When the membership was created. */
  created_at: string
  /** Null unless expanded with `expand=group`; also null while no such group exists. */
  group: Group | null
  /** The id of the group. */
  group_id: string
  /** Null unless expanded with `expand=user`; also null while no such user exists. */
  user: User | null
  /** The id of the user. */
  user_id: string
}

/** Something that a user, a group or both did. */
export interface Event {
  /** Assigned by the service. */
  id: string
  /** Always `event`. */
  object: 'event'
  /** The attributes of the event. */
  attributes: { [name: string]: string | number | boolean }
  /** When the service stored the event. */
  created_at: string
  /** Null unless expanded with `expand=group`; also null while no such group exists. */
  group: Group | null
  /** The associated group, if any. */
  group_id: string | null
  /** The event name. */
  name: string
  /** When the event happened: as it was sent when that is RFC 3339, else rewritten to RFC 3339. */
  time: string
  /** Null unless expanded with `expand=user`; also null while no such user exists. */
  user: User | null
  /** The associated user, if any. */
  user_id: string | null
}

/** An attribute name that has been seen. Made by the service, read-only. */
export interface AttributeDefinition {
  /** Identifier. */
  id: string
  /** Always `attribute_definition`. */
  object: 'attribute_definition'
  /** When the name was first seen. */
  created_at: string
  /** When the name was first seen: the same as `created_at`. */
  first_seen_at: string
  /** When the name last arrived, whatever the time of the event; at most a few seconds behind. */
  last_seen_at: string
  /** What it means, in words. Empty until someone writes it in the dashboard. */
  description: string
  /** The type of the first value seen. The types after `datetime` belong to internal attributes. */
  data_type: 'string' | 'boolean' | 'number' | 'datetime' | 'checklist_task' | 'content' | 'content_session' | 'content_version' | 'flow' | 'flow_session' | 'flow_step' | 'flow_version'
  /** A readable name. It begins as the name, humanised. */
  display_name: string
  /** The key in `attributes` maps. It never changes. */
  name: string
  /** Which objects have it. `group` and `group_membership` are listed only on request. */
  scope: 'user' | 'event' | 'group' | 'group_membership'
  /** Who writes it. A page cannot change an attribute of `back_end`: one that was ever written with an API key, unless a member has chosen otherwise. */
  written_by: 'anyone' | 'back_end'
  /** Whether content may show its value to a page whose user is not verified. */
  shown_unverified: boolean
  /** Values of other types than `data_type`, which were stored all the same. At most a few seconds behind. */
  type_conflicts: {
    /** The type of these values. */
    data_type: string
    /** How many there were. */
    count: number
    /** The latest of them, its beginning when it is long. */
    example: string | number | boolean
  }[]
}

/** An event name that has been seen. Made by the service, read-only. */
export interface EventDefinition {
  /** How many events of this name were stored, also those that were deleted since. At most a few seconds behind; what was counted in the last seconds before a crash is lost. */
  event_count: number
  /** Identifier. */
  id: string
  /** Always `event_definition`. */
  object: 'event_definition'
  /** When the name was first seen. */
  created_at: string
  /** When the name was first seen: the same as `created_at`. */
  first_seen_at: string
  /** When the name last arrived, whatever the time of the event; at most a few seconds behind. */
  last_seen_at: string
  /** What it means, in words. Empty until someone writes it in the dashboard. */
  description: string
  /** A readable name. It begins as the name, humanised. */
  display_name: string
  /** The `name` of such events. It never changes. */
  name: string
}

/** Where notifications are sent, and which. */
export interface WebhookSubscription {
  /** Identifier. */
  id: string
  /** Always `webhook_subscription`. */
  object: 'webhook_subscription'
  /** The API version of the notifications. */
  api_version: '2020-01-03'
  /** When the subscription was created. */
  created_at: string
  /** When true, no notifications are sent. */
  disabled: boolean
  /** The topics it receives. */
  topics: string[]
  /** The address that receives the notifications. */
  url: string
}

/** A subscription as its creation answers it: the only time that the secret is shown. */
export interface CreatedWebhookSubscription {
  /** Identifier. */
  id: string
  /** Always `webhook_subscription`. */
  object: 'webhook_subscription'
  /** The API version of the notifications. */
  api_version: '2020-01-03'
  /** When the subscription was created. */
  created_at: string
  /** When true, no notifications are sent. */
  disabled: boolean
  /** The topics it receives. */
  topics: string[]
  /** The address that receives the notifications. */
  url: string
  /** The key of the signatures. Keep it; it is not shown again. */
  secret: string
}

/** What is sent to a subscription. */
export interface WebhookNotification {
  /** Identifier; the same for every delivery attempt. */
  id: string
  /** Always `webhook_notification`. */
  object: 'webhook_notification'
  /** The API version of the notifications. */
  api_version: '2020-01-03'
  /** When it happened. */
  created_at: string
  /** Holds `object`. */
  data: {
    /** User or Event, as it was right then. */
    object: User | Event
  }
  /** What happened. */
  topic: string
}

/** A stored notification about the user, as it was sent to webhook subscriptions. */
export interface StoredNotification {
  /** Identifier. */
  id: string
  /** Always `webhook_notification`. */
  object: 'webhook_notification'
  /** When it happened. */
  created_at: string
  /** What happened. */
  topic: string
  /** Holds `object`. */
  data: {
    /** The object as it was then. */
    object: unknown
  }
}

/** Everything that is held about one user. */
export interface UserExport {
  /** Always `user_export`. */
  object: 'user_export'
  /** The id that was asked for. */
  user_id: string
  /** When the export began. */
  exported_at: string
  /** Null unless expanded with `expand=user`; also null while no such user exists. */
  user: User | null
  /** All memberships, each with its group. */
  memberships: GroupMembership[]
  /** All events, in the order in which they were stored. */
  events: Event[]
  /** What the user was shown of guided flows, and how it went. */
  content_sessions: { [name: string]: unknown }[]
  /** What is remembered of each content, also of sessions that are not kept any more. */
  content_states: { [name: string]: unknown }[]
  /** The notifications about the user and its events that are still stored. */
  webhook_notifications: StoredNotification[]
}

/** One attempt of a delivery. */
export interface WebhookAttempt {
  /** Identifier. */
  id: string
  /** 1 for the first attempt. */
  number: number
  /** When the attempt began. */
  at: string
  /** The HTTP status of the response; null when there was none. */
  status: number | null
  /** What went wrong; null when it was acknowledged. */
  failure: string | null
  /** The same for programs. Null when it was acknowledged, and for a failure that has no code. */
  failure_code: 'name_not_resolved' | 'connection_refused' | 'connect_timeout' | 'connection_timed_out' | 'address_unreachable' | 'address_forbidden' | 'plain_http' | 'tls_failed' | 'certificate_invalid' | 'connection_closed' | 'response_timeout' | 'response_unfinished' | 'response_headers_too_large' | 'response_length_wrong' | 'response_invalid' | 'redirected' | 'not_acknowledged' | 'url_invalid' | 'sender_closed' | 'request_failed' | null
  /** The milliseconds of the name look-up; null on an open connection. */
  name_ms: number | null
  /** The milliseconds of the TCP connection; null on an open connection. */
  connect_ms: number | null
  /** The milliseconds of the TLS handshake; null on an open connection. */
  tls_ms: number | null
  /** The milliseconds from the beginning to the first byte of the response. */
  first_byte_ms: number | null
  /** The milliseconds from the beginning to the end. */
  total_ms: number | null
  /** The first 4 KB of the response. */
  response: string
}

/** One notification for one subscription: waiting, being sent, or finished. */
export interface WebhookDelivery {
  /** The id of the notification. */
  id: string
  /** Always `webhook_delivery`. */
  object: 'webhook_delivery'
  /** Attempts made so far. */
  attempts: number
  /** When it happened. */
  created_at: string
  /** When it is given up; null when it is finished. */
  expires_at: string | null
  /** The last attempt; null before the first. */
  last_attempt: WebhookAttempt | null
  /** When it is due; null while it is being sent and when it is finished. */
  next_attempt_at: string | null
  /** Why it is not being sent right now; null when it is finished. `being_sent`: It is being sent right now. `lease_expired`: The server that was sending it has ended. Another one sends it again. `subscription_disabled`: Its subscription is disabled. `deliveries_paused`: It is due, and all deliveries are paused, as after a restore. `npx usher webhooks resume` ends the pause. `backoff`: An attempt failed. It waits for the time of the next one. `retry_after`: The receiver asked to wait longer (Retry-After). `endpoint_probed`: The endpoint failed three times in a row. It is sent one delivery at a time until it accepts one. `queued`: It is due, and waits for its turn. If nothing is sent at all, no server is running. */
  reason: 'being_sent' | 'lease_expired' | 'subscription_disabled' | 'deliveries_paused' | 'backoff' | 'retry_after' | 'endpoint_probed' | 'queued' | null
  /** `waiting`: It waits for its first attempt. `retrying`: An attempt failed, and it waits for the next one. `held`: The receiver asked to wait (Retry-After). `sending`: A server is sending it. `on_hold`: Its subscription is disabled. It continues when the subscription is enabled within 3 days. `delivered`: The receiver acknowledged it with a 2xx status. `given_up`: It was not acknowledged within 3 days. */
  state: 'waiting' | 'retrying' | 'held' | 'sending' | 'on_hold' | 'delivered' | 'given_up'
  /** What happened; null when the notification is gone. */
  topic: string | null
  /** The subscription. */
  webhook_subscription_id: string
}

/** What a replay has done. */
export interface WebhookReplay {
  /** Always `webhook_replay`. */
  object: 'webhook_replay'
  /** False when the range was too large for one request: continue with `since` at `next_since`. */
  complete: boolean
  /** Whether the notifications were only counted. */
  dry_run: boolean
  /** Notifications of the range that the subscription receives. */
  matching: number
  /** Where to continue; null when it is complete. */
  next_since: string | null
  /** Deliveries that are sent again; the others were not finished yet. */
  written: number
}

/** A subscription with its new secret, which is shown here alone. */
export interface RotatedWebhookSubscription {
  /** Identifier. */
  id: string
  /** Always `webhook_subscription`. */
  object: 'webhook_subscription'
  /** The API version of the notifications. */
  api_version: '2020-01-03'
  /** When the subscription was created. */
  created_at: string
  /** When true, no notifications are sent. */
  disabled: boolean
  /** The topics it receives. */
  topics: string[]
  /** The address that receives the notifications. */
  url: string
  /** The new key of the signatures. Keep it; it is not shown again. */
  secret: string
  /** Until then the old secret still signs; null when it has ended. */
  old_secret_expires_at: string | null
}

/** A flow, a checklist, a banner or a launcher. */
export interface Content {
  /** Identifier. */
  id: string
  /** Always `content`. */
  object: 'content'
  /** When it was first saved. */
  created_at: string
  /** Null unless expanded with `expand=draft_version`, or when there is none. */
  draft_version: ContentVersion | null
  /** The version that can change. It is the published one until it is edited. */
  draft_version_id: string
  /** Unique in its environment, and the same in all environments. */
  key: string
  /** What your team calls it. */
  name: string
  /** Null unless expanded with `expand=published_version`, or when there is none. */
  published_version: ContentVersion | null
  /** The version that users see; null when it is not published. */
  published_version_id: string | null
  /** The kind. */
  type: 'flow' | 'checklist' | 'banner' | 'launcher'
}

/** A state of a content. */
export interface ContentVersion {
  /** Identifier. */
  id: string
  /** Always `content_version`. */
  object: 'content_version'
  /** Null unless expanded with `expand=content`, or when there is none. */
  content: Content | null
  /** The content that it is a version of. */
  content_id: string
  /** When it was begun. */
  created_at: string
  /** The note of who published it. */
  description: string
  /** The document, by the schema at /schemas/content.json. Null unless expanded with `expand=document`. */
  document: { [name: string]: unknown } | null
  /** When it was last edited. */
  edited_at: string
  /** Counts the versions of the content, from 1. */
  number: number
  /** When it was first published; it does not change any more then. */
  published_at: string | null
  /** Null unless expanded with `expand=questions`. */
  questions: Question[] | null
  /** Changes with each edit: the number of the version and of the edit. It is what `expected_draft` names. */
  revision: string
  /** Null unless expanded with `expand=tasks`. */
  tasks: Task[] | null
}

/** A question of a version. */
export interface Question {
  /** Identifier. */
  id: string
  /** Always `question`. */
  object: 'question'
  /** The same question in every version. */
  cvid: string
  /** What is asked. */
  name: string
  /** Its kind. */
  type: 'nps' | 'rating' | 'choice' | 'text'
}

/** A task of a version of a checklist. */
export interface Task {
  /** Identifier. */
  id: string
  /** Always `task`. */
  object: 'task'
  /** The same task in every version. */
  cvid: string
  /** What is to be done. */
  name: string
}

/** How widgets look. A change counts at once. */
export interface Theme {
  /** Identifier. */
  id: string
  /** Always `theme`. */
  object: 'theme'
  /** When it was first saved. */
  created_at: string
  /** Its colours, corners, font and shadow. */
  document: { [name: string]: unknown }
  /** When it was last saved. */
  edited_at: string
  /** Unique in its environment. */
  key: string
  /** What your team calls it. */
  name: string
}

/** What publishing would do. Nothing is changed. */
export interface PublishPlan {
  /** Always `publish_plan`. */
  object: 'publish_plan'
  /** What changes, in words. */
  changes: string[]
  /** Identifier. */
  content_id: string
  /** Publish with this, and it is refused when the draft changes meanwhile. */
  expected_draft: string
  /** Users whose answer changes. */
  gains: {
    /** How many users. */
    count: number
    /** False: an estimate, since there are too many users to look at all. */
    exact: boolean
    /** Some of them, with the reason. */
    samples: {
      /** A user. */
      user_id: string
      /** Why. */
      sentence: string
    }[]
  }
  /** How many users are inside of the published version now, and have not completed it. */
  inside: number
  /** Users whose answer changes. */
  losses: {
    /** How many users. */
    count: number
    /** False: an estimate, since there are too many users to look at all. */
    exact: boolean
    /** Some of them, with the reason. */
    samples: {
      /** A user. */
      user_id: string
      /** Why. */
      sentence: string
    }[]
  }
  /** What keeps it from being published. */
  problems: {
    /** The path in the document. */
    param: string
    /** What is wrong. */
    message: string
  }[]
  /** The samples of gains and losses together. */
  samples: {
    /** A user. */
    user_id: string
    /** Whether the user newly matches, or no longer does. */
    change: 'gains' | 'losses'
    /** Why. */
    sentence: string
  }[]
  /** What to know before. */
  warnings: {
    /** The path in the document. */
    param: string
    /** What is wrong. */
    message: string
  }[]
}

/** The content, or the plan of a dry run. */
export type PublishAnswer = Content | PublishPlan

/** What was pushed. */
export interface ContentPush {
  /** Always `content_push`. */
  object: 'content_push'
  /** In the order of the documents; empty after a dry run. */
  content: Content[]
  /** Drafts of others that were not published. A push does not overwrite them: they stay as versions. */
  kept: {
    /** The key of the content. */
    key: string
    /** The number of the version that it stays as. */
    version: number
    /** Who edited it last. */
    edited_by: string | null
    /** When it was last edited. */
    edited_at: string
  }[]
  /** With `publish`: what to know of the documents, as the plan of a publication says it. */
  warnings: {
    /** The path in the request. */
    param: string
    /** What to know. */
    message: string
  }[]
}

/** A named condition over users or groups. Its members are those who fit at the moment. */
export interface Segment {
  /** Identifier. */
  id: string
  /** Always `segment`. */
  object: 'segment'
  /** The condition, as it was saved. */
  condition: { [name: string]: unknown }
  /** When the segment was created. */
  created_at: string
  /** What content and other segments refer to it by. */
  key: string
  /** What your team calls it. */
  name: string
  /** What it selects. */
  scope: 'user' | 'group'
  /** The condition in plain words. */
  sentence: string
  /** When it was saved last. */
  updated_at: string
  /** What uses it. A segment that is used is not deleted. */
  used_by: {
    /** `segment` or `content`. */
    object: string
    /** Its key. */
    key: string
  }[]
  /** What is allowed and probably not meant, such as a number that is compared with a text attribute. Only in the answer of a POST; else empty. */
  warnings: string[]
}

/** How many users or groups a condition selects at the moment. */
export interface SegmentCount {
  /** Always `segment_count`. */
  object: 'segment_count'
  /** How many. */
  count: number
  /** False when it is an estimate from a sample, because the count would have taken over 5 seconds. */
  exact: boolean
  /** Only with `exact: false`: in 95 of 100 cases the count is within this many of the estimate. */
  margin?: number
  /** What each leaf selects by itself, counted in the same scan. */
  lines: {
    /** Where the leaf stands in the condition; empty when it is all of it. */
    path: string
    /** How many it selects by itself. */
    count: number
    /** The leaf in plain words. */
    sentence: string
  }[]
  /** What is allowed and probably not meant. */
  warnings: string[]
}

/** Why a user or a group fits a condition, or does not. */
export interface Receipt {
  /** Always `receipt`. */
  object: 'receipt'
  /** Whether it fits; null when that is not known. */
  met: boolean | null
  /** The reason in one sentence. */
  sentence: string
  /** The group that the leaves about groups were asked of. */
  group_id: string | null
  /** Every leaf, in the order of the condition. */
  leaves: {
    /** Where the leaf stands in the condition. */
    path: string
    /** Whether the leaf is as the condition needs it: within `not`, whether it does not hold. */
    met: boolean | null
    /** What was found. A text of more than 200 characters is cut. */
    value: string | number | boolean | null
    /** What would have to be. */
    needed: string
    /** Both in one sentence. */
    sentence: string
  }[]
}

/** What a user may see now, the first of each slot first. */
export interface Decision {
  /** Always `decision`. */
  object: 'decision'
  /** What may be shown. */
  content: {
    /** Identifier. */
    id: string
    /** The key of the content. */
    key: string
    /** The kind. */
    type: 'flow' | 'checklist' | 'banner' | 'launcher'
    /** What may be visible at once. It is the type. */
    slot: string
    /** The published version. */
    version_id: string
    /** What the page decides; null when there is nothing. */
    where: { [name: string]: unknown } | null
    /** How long all conditions hold before it is shown. */
    wait_ms: number
    /** Of the first step, or of the launcher. */
    target: { [name: string]: unknown } | null
  }[]
  /** The current group. */
  group_id: string | null
  /** Why the named group does not count. The decision is made as for a user without a group. */
  group_problem?: string
  /** Only when there is no such user, who sees nothing: `user_unknown`. */
  reason?: string
  /** Only with `receipts: true`. */
  receipts?: {
    /** Identifier. */
    content_id: string
    /** The key of the content. */
    key: string
    /** What came out. */
    outcome: 'show' | 'hide'
    /** The code of the first closed gate. */
    reason: string | null
    /** The reason, in words. */
    sentence: string
    /** All gates, in the order in which they are asked. */
    gates: {
      /** Its name. */
      gate: string
      /** Null: the page decides. */
      open: boolean | null
      /** Why it is closed. */
      code: string | null
      /** Until when it stays closed, or when it was. */
      at?: string
      /** The keys of the content that comes before: what is under way for the user, and what is decided for them with a higher rank. */
      behind?: string[]
      /** The leaves of its condition. */
      leaves?: { [name: string]: unknown }[]
    }[]
  }[]
  /** The user. */
  user_id: string
}

/** One run of a user through one version of a content. */
export interface ContentSession {
  /** Assigned by the service. */
  id: string
  /** Always `content_session`. */
  object: 'content_session'
  /** Null unless expanded with `expand=answers`. */
  answers: ContentSessionAnswer[] | null
  /** Whether the user has completed it. */
  completed: boolean
  /** When the user completed it. */
  completed_at: string | null
  /** Null unless expanded with `expand=content`. */
  content: { [name: string]: unknown } | null
  /** The content. */
  content_id: string
  /** When its first step was seen. */
  created_at: string
  /** Why it ended; null while it is open. */
  end_reason: 'close_button' | 'backdrop' | 'escape' | 'button' | 'advance' | 'replaced' | 'target_missing' | 'timeout' | 'unpublished' | 'version_changed' | 'api' | 'expired' | null
  /** When it ended; a completed one may still be on the screen. */
  ended_at: string | null
  /** Null unless expanded with `expand=group`; also null while no such group exists. */
  group: Group | null
  /** The group that it was shown in, if any. */
  group_id: string | null
  /** Always false: a preview stores no session. */
  is_preview: boolean
  /** When something was last reported of it. */
  last_activity_at: string | null
  /** Whether its launcher was activated. */
  launcher_activated: boolean
  /** The number of the last step, or of completed tasks, and how many there are. */
  progress: string | null
  /** Why it was shown. Null unless expanded with `expand=receipt`. */
  receipt: { [name: string]: unknown } | null
  /** Completed and ended are two facts: a completed one stays `completed` when it ends. */
  state: 'active' | 'completed' | 'dismissed' | 'ended'
  /** Null unless expanded with `expand=user`; also null while no such user exists. */
  user: User | null
  /** The user. */
  user_id: string
  /** Null unless expanded with `expand=version`. */
  version: { [name: string]: unknown } | null
  /** The version, which a session keeps to its end. */
  version_id: string
}

/** The answer to a question. */
export interface ContentSessionAnswer {
  /** Assigned by the service. */
  id: string
  /** Always `content_session_answer`. */
  object: 'content_session_answer'
  /** The type of the answer. */
  answer_type: 'number' | 'text' | 'list'
  /** The answer as a text. A list is a JSON list. */
  answer_value: string
  /** When it was answered. */
  created_at: string
  /** The question: the same in every version. */
  question_cvid: string
  /** What was asked. */
  question_name: string
}

/** A content session after a report. */
export interface ReportedContentSession {
  /** Assigned by the service. */
  id: string
  /** Always `content_session`. */
  object: 'content_session'
  /** Null unless expanded with `expand=answers`. */
  answers: ContentSessionAnswer[] | null
  /** Whether the user has completed it. */
  completed: boolean
  /** When the user completed it. */
  completed_at: string | null
  /** Null unless expanded with `expand=content`. */
  content: { [name: string]: unknown } | null
  /** The content. */
  content_id: string
  /** When its first step was seen. */
  created_at: string
  /** Why it ended; null while it is open. */
  end_reason: 'close_button' | 'backdrop' | 'escape' | 'button' | 'advance' | 'replaced' | 'target_missing' | 'timeout' | 'unpublished' | 'version_changed' | 'api' | 'expired' | null
  /** When it ended; a completed one may still be on the screen. */
  ended_at: string | null
  /** Null unless expanded with `expand=group`; also null while no such group exists. */
  group: Group | null
  /** The group that it was shown in, if any. */
  group_id: string | null
  /** Always false: a preview stores no session. */
  is_preview: boolean
  /** When something was last reported of it. */
  last_activity_at: string | null
  /** Whether its launcher was activated. */
  launcher_activated: boolean
  /** The number of the last step, or of completed tasks, and how many there are. */
  progress: string | null
  /** Why it was shown. Null unless expanded with `expand=receipt`. */
  receipt: { [name: string]: unknown } | null
  /** Completed and ended are two facts: a completed one stays `completed` when it ends. */
  state: 'active' | 'completed' | 'dismissed' | 'ended'
  /** Null unless expanded with `expand=user`; also null while no such user exists. */
  user: User | null
  /** The user. */
  user_id: string
  /** Null unless expanded with `expand=version`. */
  version: { [name: string]: unknown } | null
  /** The version, which a session keeps to its end. */
  version_id: string
  /** Whether the holder of the request still has the right to show it. If not, claim the content again: its lease is over, or another holder has claimed it since. In that case only answers were stored of its reports. `sequence` says which others are. */
  holder: boolean
  /** Of the last report that is stored. */
  sequence: number
}

/** The right of one browser to show a content. */
export interface ContentClaim {
  /** Of the session that it becomes when its first step is seen. */
  id: string
  /** Always `content_claim`. */
  object: 'content_claim'
  /** The content. */
  content_id: string
  /** What to show, with templates filled. Its `type` is one of the types of content. */
  document: { [name: string]: unknown }
  /** Counts the changes of the holder. */
  epoch: number
  /** How long nobody else may show it. Claim it again before that to keep it. */
  lease_seconds: number
  /** Where a session is that is resumed: its step, whether it is completed, its answers. */
  progress: { [name: string]: unknown } | null
  /** Of the last report that is stored; 0 before the first. */
  sequence: number
  /** The version to show. */
  version_id: string
}

/** What a delete answers, whether or not there was something to delete. */
export interface Deleted {
  /** The id that was asked for. */
  id: string
  /** The type of the deleted resource. */
  object: string
  /** Always true. */
  deleted: true
}

/** The outcomes of the operations of a batch. */
export interface Batch {
  /** Always `batch`. */
  object: 'batch'
  /** One for each operation, in their order. */
  results: {
    /** The status that the operation would have as a request. */
    status: number
    /** What the operation answers: its resource, or an error. */
    body: { [name: string]: unknown }
  }[]
}

/** What every failure answers. */
export interface Error {
  /** The error. */
  error: {
    /** A machine-readable code. */
    code: string
    /** What is wrong, and what to do about it. */
    message: string
    /** The path of the body field, or the query parameter, that is wrong. Absent when no single field is wrong. */
    param?: string
    /** Each problem by itself, up to 100. Only when there are several. */
    problems?: {
      /** The field or query parameter. */
      param?: string
      /** What is wrong with it. */
      message: string
    }[]
    /** Where the reference says what the code means. */
    doc_url: string
    /** The id of the request, for reporting the problem. It is in the Request-Id header too. */
    request_id: string
  }
}

/** A page of a list of User objects. */
export interface UserList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: User[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of Group objects. */
export interface GroupList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: Group[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of Event objects. */
export interface EventList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: Event[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of AttributeDefinition objects. */
export interface AttributeDefinitionList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: AttributeDefinition[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of EventDefinition objects. */
export interface EventDefinitionList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: EventDefinition[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of WebhookSubscription objects. */
export interface WebhookSubscriptionList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: WebhookSubscription[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of WebhookDelivery objects. */
export interface WebhookDeliveryList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: WebhookDelivery[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of Content objects. */
export interface ContentList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: Content[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of ContentVersion objects. */
export interface ContentVersionList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: ContentVersion[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of Theme objects. */
export interface ThemeList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: Theme[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of Segment objects. */
export interface SegmentList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: Segment[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A page of a list of ContentSession objects. */
export interface ContentSessionList {
  /** Always `list`. */
  object: 'list'
  /** The objects of this page. */
  data: ContentSession[]
  /** Whether a further page exists. */
  has_more: boolean
  /** The address of this page. */
  url: string
  /** The address of the next page. Always set: with `has_more: false`, asked again later, it shows what was added behind this page since. */
  next_page_url: string
}

/** A user to create or update. */
export interface UpsertUser {
  /** The caller's own id of the user. A whole number counts as its decimal text. */
  id: string | number
  /** The attributes of the user. Merged into what is stored; at most 1000 attributes, and 262144 bytes of JSON, after the merge. */
  attributes?: { [name: string]: string | number | boolean | null | {
    /** Sets the value, like a literal, but lets `data_type` be given. */
    set?: string | number | boolean
    /** Sets the value only if the object has no value for the attribute yet. */
    set_once?: string | number | boolean
    /** Adds to the current number; a missing attribute counts as 0. */
    add?: number
    /** Subtracts from the current number; a missing attribute counts as 0. */
    subtract?: number
    /** Inferred from the value when it is omitted. */
    data_type?: 'string' | 'boolean' | 'number' | 'datetime' | null
  } } | unknown[] | null
  /** Groups to create or update, and to make the user a member of. Only one of `groups` and `memberships` may be set. */
  groups?: {
    /** The caller's own id of the group. A whole number counts as its decimal text. */
    id: string | number
    /** The attributes of the group. Merged into what is stored; at most 1000 attributes, and 262144 bytes of JSON, after the merge. */
    attributes?: { [name: string]: string | number | boolean | null | {
      /** Sets the value, like a literal, but lets `data_type` be given. */
      set?: string | number | boolean
      /** Sets the value only if the object has no value for the attribute yet. */
      set_once?: string | number | boolean
      /** Adds to the current number; a missing attribute counts as 0. */
      add?: number
      /** Subtracts from the current number; a missing attribute counts as 0. */
      subtract?: number
      /** Inferred from the value when it is omitted. */
      data_type?: 'string' | 'boolean' | 'number' | 'datetime' | null
    } } | unknown[] | null
    /** `object` is read-only: it is accepted and ignored. */
    object?: unknown
    /** `created_at` is read-only: it is accepted and ignored. */
    created_at?: unknown
    /** Only in responses: what was read is accepted here and ignored. Anything else must be null or absent: memberships are written through POST /users. */
    memberships?: unknown[] | null
    /** Only in responses: what was read is accepted here and ignored. Anything else must be null or absent: memberships are written through POST /users. */
    users?: unknown[] | null
  }[] | null
  /** Memberships to create or update, each with its group. Only one of `groups` and `memberships` may be set. */
  memberships?: {
    /** `id` is read-only: it is accepted and ignored. */
    id?: unknown
    /** The attributes of the membership. Merged into what is stored; at most 1000 attributes, and 262144 bytes of JSON, after the merge. */
    attributes?: { [name: string]: string | number | boolean | null | {
      /** Sets the value, like a literal, but lets `data_type` be given. */
      set?: string | number | boolean
      /** Sets the value only if the object has no value for the attribute yet. */
      set_once?: string | number | boolean
      /** Adds to the current number; a missing attribute counts as 0. */
      add?: number
      /** Subtracts from the current number; a missing attribute counts as 0. */
      subtract?: number
      /** Inferred from the value when it is omitted. */
      data_type?: 'string' | 'boolean' | 'number' | 'datetime' | null
    } } | unknown[] | null
    /** `object` is read-only: it is accepted and ignored. */
    object?: unknown
    /** `created_at` is read-only: it is accepted and ignored. */
    created_at?: unknown
    /** The group, with at least its `id`. */
    group?: {
      /** The caller's own id of the group. A whole number counts as its decimal text. */
      id: string | number
      /** The attributes of the group. Merged into what is stored; at most 1000 attributes, and 262144 bytes of JSON, after the merge. */
      attributes?: { [name: string]: string | number | boolean | null | {
        /** Sets the value, like a literal, but lets `data_type` be given. */
        set?: string | number | boolean
        /** Sets the value only if the object has no value for the attribute yet. */
        set_once?: string | number | boolean
        /** Adds to the current number; a missing attribute counts as 0. */
        add?: number
        /** Subtracts from the current number; a missing attribute counts as 0. */
        subtract?: number
        /** Inferred from the value when it is omitted. */
        data_type?: 'string' | 'boolean' | 'number' | 'datetime' | null
      } } | unknown[] | null
      /** `object` is read-only: it is accepted and ignored. */
      object?: unknown
      /** `created_at` is read-only: it is accepted and ignored. */
      created_at?: unknown
      /** Only in responses: what was read is accepted here and ignored. Anything else must be null or absent: memberships are written through POST /users. */
      memberships?: unknown[] | null
      /** Only in responses: what was read is accepted here and ignored. Anything else must be null or absent: memberships are written through POST /users. */
      users?: unknown[] | null
    } | null
    /** The id of the group; may stand in for `group`. A whole number counts as its decimal text. */
    group_id?: string | number | null
    /** Only in responses: what was read is accepted here and ignored. Anything else must be null or absent: the user is the one that the request is about. */
    user?: { [name: string]: unknown } | null
    /** When it is given, it must be the id of the user. A whole number counts as its decimal text. */
    user_id?: string | number | null
  }[] | null
  /** When true, memberships that are not in the request are removed; the groups stay. */
  prune_memberships?: boolean | null
  /** Field paths to expand in the answer, as in the query. */
  expand?: string[] | string | null
  /** `object` is read-only: it is accepted and ignored. */
  object?: unknown
  /** `created_at` is read-only: it is accepted and ignored. */
  created_at?: unknown
}

/** A group to create or update. */
export interface UpsertGroup {
  /** The caller's own id of the group. A whole number counts as its decimal text. */
  id: string | number
  /** The attributes of the group. Merged into what is stored; at most 1000 attributes, and 262144 bytes of JSON, after the merge. */
  attributes?: { [name: string]: string | number | boolean | null | {
    /** Sets the value, like a literal, but lets `data_type` be given. */
    set?: string | number | boolean
    /** Sets the value only if the object has no value for the attribute yet. */
    set_once?: string | number | boolean
    /** Adds to the current number; a missing attribute counts as 0. */
    add?: number
    /** Subtracts from the current number; a missing attribute counts as 0. */
    subtract?: number
    /** Inferred from the value when it is omitted. */
    data_type?: 'string' | 'boolean' | 'number' | 'datetime' | null
  } } | unknown[] | null
  /** `object` is read-only: it is accepted and ignored. */
  object?: unknown
  /** `created_at` is read-only: it is accepted and ignored. */
  created_at?: unknown
  /** Only in responses: what was read is accepted here and ignored. Anything else must be null or absent: memberships are written through POST /users. */
  memberships?: unknown[] | null
  /** Only in responses: what was read is accepted here and ignored. Anything else must be null or absent: memberships are written through POST /users. */
  users?: unknown[] | null
  /** Field paths to expand in the answer, as in the query. */
  expand?: string[] | string | null
}

/** An event to store. */
export interface TrackEvent {
  /** The event name. */
  name: string
  /** The user. One of `user_id` and `group_id` must be given. A whole number counts as its decimal text. */
  user_id?: string | number | null
  /** The group. One of `user_id` and `group_id` must be given. A whole number counts as its decimal text. */
  group_id?: string | number | null
  /** The attributes of the event. Merged into what is stored; at most 1000 attributes, and 262144 bytes of JSON, after the merge. */
  attributes?: { [name: string]: string | number | boolean | null | {
    /** Sets the value, like a literal, but lets `data_type` be given. */
    set?: string | number | boolean
    /** Sets the value only if the object has no value for the attribute yet. */
    set_once?: string | number | boolean
    /** Adds to the current number; a missing attribute counts as 0. */
    add?: number
    /** Subtracts from the current number; a missing attribute counts as 0. */
    subtract?: number
    /** Inferred from the value when it is omitted. */
    data_type?: 'string' | 'boolean' | 'number' | 'datetime' | null
  } } | unknown[] | null
  /** When it happened, as an ISO 8601 date-time. Without an offset it is UTC, and a date alone is midnight UTC. Defaults to the time it is received. */
  time?: string | null
  /** Field paths to expand in the answer, as in the query. */
  expand?: string[] | string | null
  /** `id` is read-only: it is accepted and ignored. */
  id?: unknown
  /** `object` is read-only: it is accepted and ignored. */
  object?: unknown
  /** `created_at` is read-only: it is accepted and ignored. */
  created_at?: unknown
  /** Only in responses: what was read is accepted here and ignored. Anything else must be null or absent: name the user by user_id. */
  user?: { [name: string]: unknown } | null
  /** Only in responses: what was read is accepted here and ignored. Anything else must be null or absent: name the group by group_id. */
  group?: { [name: string]: unknown } | null
}

/** A subscription to create. */
export interface CreateWebhookSubscription {
  /** The address that receives the notifications: https, without credentials and fragment. */
  url: string
  /** The topics to receive: at most 100 different ones. */
  topics: string[]
  /** The API version of the notifications. Defaults to the latest. */
  api_version?: '2020-01-03' | null
  /** True stops notifications immediately. */
  disabled?: boolean | null
  /** `object` is read-only: it is accepted and ignored. */
  object?: unknown
  /** `created_at` is read-only: it is accepted and ignored. */
  created_at?: unknown
  /** Only in responses; here it must be absent: a new subscription gets a new id. To change a subscription, PATCH it. */
  id?: null
  /** Only in responses; here it must be absent: the service makes the secret and shows it in the answer. */
  secret?: null
}

/** What to change of a subscription. */
export interface UpdateWebhookSubscription {
  /** The address that receives the notifications: https, without credentials and fragment. */
  url?: string | null
  /** The topics to receive: at most 100 different ones. */
  topics?: string[] | null
  /** The API version of the notifications. Defaults to the latest. */
  api_version?: '2020-01-03' | null
  /** True stops notifications immediately. */
  disabled?: boolean | null
  /** `object` is read-only: it is accepted and ignored. */
  object?: unknown
  /** `created_at` is read-only: it is accepted and ignored. */
  created_at?: unknown
  /** `id` is read-only: it is accepted and ignored. */
  id?: unknown
  /** Only in responses; here it must be absent: a secret cannot be set, only made by the service. */
  secret?: null
}

/** An empty object. */
export interface RetryWebhookDelivery {
}

/** An empty object. */
export interface TestWebhookSubscription {
}

/** What to send again. */
export interface ReplayWebhookNotifications {
  /** Notifications from this time on are sent again. */
  since: string
  /** Notifications before this time are sent again. Defaults to now. */
  until?: string | null
  /** When true, the notifications are counted and nothing is sent. */
  dry_run?: boolean | null
}

/** A content to show to a user. */
export interface ClaimContent {
  /** The content: its key or its id. A whole number counts as its decimal text. */
  content: string | number
  /** The user who is to see it. A whole number counts as its decimal text. */
  user_id: string | number
  /** The group that the user is in now. The user must be a member of it. A whole number counts as its decimal text. */
  group_id?: string | number | null
  /** The version that was decided. The claim is refused when another one is published now. A whole number counts as its decimal text. */
  version_id?: string | number | null
  /** Who shows it: one id for each browser or device. A whole number counts as its decimal text. */
  holder: string | number
  /** `manual`: started by hand, it passes by frequency and quiet period, and ends what runs. `auto` unless given: what a decision lets the user see. Neither asks `who` and `where`. */
  reason?: 'auto' | 'manual' | null
  /** Of a start by hand: only if the user has never seen it. */
  once?: boolean | null
}

/** What was seen and done since the last report. */
export interface ReportProgress {
  /** Who shows it, as in the claim. A whole number counts as its decimal text. */
  holder: string | number
  /** That of the claim. */
  epoch?: number | null
  /** Everything that is not acknowledged yet, in order. What is stored already is ignored. */
  reports: {
    /** Counts the reports, from 1. */
    sequence: number
    /** What happened. `step_seen` (of anything but a flow: `shown`) begins the session. */
    type: 'step_seen' | 'target_missing' | 'answered' | 'task_clicked' | 'task_completed' | 'shown' | 'hidden' | 'activated' | 'completed' | 'ended'
    /** The key of the step. */
    step?: string
    /** Which locator found the target. */
    locator?: string
    /** How many elements were found. */
    matches?: number
    /** The key of the question. */
    question?: string
    /** The answer: a number, a text, or a list of options. */
    value?: number | string | string[]
    /** The key of the task. */
    task?: string
    /** Why it ended. */
    reason?: string
  }[]
  /** Field paths to expand in the answer, as in the query. */
  expand?: string[] | string | null
  /** Where it was reported. */
  page?: {
    /** Kept without query and fragment. */
    url?: string
    /** In CSS pixels. */
    viewport_width?: number
    /** In CSS pixels. */
    viewport_height?: number
    /** The language of the page. */
    locale?: string
  } | null
}

/** An empty object. */
export interface EndContentSession {
  /** Field paths to expand in the answer, as in the query. */
  expand?: string[] | string | null
}

/** How to rotate a secret. */
export interface RotateWebhookSecret {
  /** How many seconds the old secret still signs. Defaults to a day; 0 ends it at once, and those of earlier rotations. */
  old_secret_expires_in?: number | null
}

/** A segment. The same key again replaces it. */
export interface SaveSegment {
  /** Chosen once and the same in every environment; content and other segments refer to it. */
  key: string
  /** What your team calls it. Defaults to the key. */
  name?: string | null
  /** What it selects: users, or groups. Defaults to `user`. */
  scope?: 'user' | 'group' | null
  /** All, any or not over leaves: attributes, events, content, segments, answers and times. */
  condition: { [name: string]: unknown }
  /** When true, everything is checked and nothing is stored. */
  dry_run?: boolean | null
  /** `id` is read-only: it is accepted and ignored. */
  id?: unknown
  /** `object` is read-only: it is accepted and ignored. */
  object?: unknown
  /** `created_at` is read-only: it is accepted and ignored. */
  created_at?: unknown
  /** `sentence` is read-only: it is accepted and ignored. */
  sentence?: unknown
  /** `updated_at` is read-only: it is accepted and ignored. */
  updated_at?: unknown
  /** `used_by` is read-only: it is accepted and ignored. */
  used_by?: unknown
  /** `warnings` is read-only: it is accepted and ignored. */
  warnings?: unknown
}

/** What to count. */
export interface CountSegment {
  /** All, any or not over leaves: attributes, events, content, segments, answers and times. This or `segment`. */
  condition?: { [name: string]: unknown } | null
  /** The key of a segment. This or `condition`. */
  segment?: string | null
  /** What it selects: users, or groups. Defaults to `user`. */
  scope?: 'user' | 'group' | null
}

/** Whom to ask about. */
export interface ExplainSegment {
  /** All, any or not over leaves: attributes, events, content, segments, answers and times. This or `segment`. */
  condition?: { [name: string]: unknown } | null
  /** The key of a segment. This or `condition`. */
  segment?: string | null
  /** The user that is asked about. This or `group_id`. A whole number counts as its decimal text. */
  user_id?: string | number | null
  /** The group that is asked about; with `user_id`, the current group of the user. A whole number counts as its decimal text. */
  group_id?: string | number | null
  /** Only in responses; here it must be absent: user_id or group_id says it. */
  scope?: null
}

/** Operations to carry out in one request. */
export interface RunBatch {
  /** Applied in this order. */
  operations: {
    /** The method of the operation. */
    method: 'POST' | 'DELETE'
    /** The path of a write of users, groups or events, with its query. */
    path: string
    /** The body of the operation. */
    body?: { [name: string]: unknown } | null
    /** The Idempotency-Key of this operation alone. */
    idempotency_key?: string | null
  }[]
  /** True: all of it is stored, or nothing. Only POST can be in such a batch. */
  atomic?: boolean | null
  /** False stores without notifying webhook subscribers. */
  notify?: boolean | null
}

/** A document by the schema at /schemas/content.json, with `expected_draft` and `expand` beside its fields. */
export interface SaveContent {
  /** The `revision` of the draft that the change was made from, or `new` for content that must not exist yet. 409 when it is another one. */
  expected_draft?: string | null
  /** The key of the content. */
  key: string
  /** Field paths to expand in the answer, as in the query. */
  expand?: string[] | string | null
}

/** How to publish. */
export interface PublishContent {
  /** The `revision` of the draft that the change was made from, or `new` for content that must not exist yet. 409 when it is another one. */
  expected_draft?: string | null
  /** The number of an older version. The draft unless given. */
  version?: number | null
  /** What happens to users who are inside of the version before: they finish it, it ends, it starts again, or it starts again also for those who had completed it. */
  inside?: 'finish' | 'end' | 'restart' | 'restart_all' | null
  /** A note for the list of versions. */
  description?: string | null
  /** Only say what would happen. */
  dry_run?: boolean | null
  /** Field paths to expand in the answer, as in the query. */
  expand?: string[] | string | null
}

/** Nothing to say. */
export interface UnpublishContent {
  /** Field paths to expand in the answer, as in the query. */
  expand?: string[] | string | null
}

/** The document of a theme. The same key again replaces it. */
export interface SaveTheme {
  /** Unique in its environment. */
  key: string
}

/** For whom to decide. */
export interface Decide {
  /** The user. A whole number counts as its decimal text. */
  user_id: string | number
  /** The current group of the user. Its only one unless given. A whole number counts as its decimal text. */
  group_id?: string | number | null
  /** Only this content, by its key. With `receipts` also one that is not published. */
  content?: string | null
  /** Also say why, for each content. */
  receipts?: boolean | null
}

/** Many documents, for one transaction. */
export interface PushContent {
  /** At most 500, each key once. */
  documents: {
    /** By the schema at /schemas/content.json. */
    document: { [name: string]: unknown }
    /** The `revision` of the draft that the change was made from, or `new` for content that must not exist yet. 409 when it is another one. */
    expected_draft?: string | null
  }[]
  /** Also publish all of them. */
  publish?: boolean | null
  /** Only find out whether it would be refused: nothing is stored. */
  dry_run?: boolean | null
}

/** What each operation takes and answers. */
export interface Operations {
  upsertUser: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    body: UpsertUser
    response: User
  }
  getUser: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: User
  }
  deleteUser: {
    response: Deleted
  }
  listUsers: {
    query: {
      /** Only users whose `email` attribute equals this. */
      email?: string
      /** Only members of this group. */
      group_id?: string
      /** Only users in this segment of users, by its key. Not together with other filters. */
      segment?: string
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: created_at, attributes.signed_up_at, attributes.last_seen_at, attributes.name. Defaults to `created_at`. Of `attributes.name` the first 256 characters are compared, by code point; names that are equal up to there are ordered by id. */
      order_by?: string[]
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: UserList
  }
  exportUser: {
    response: UserExport
  }
  upsertGroup: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    body: UpsertGroup
    response: Group
  }
  getGroup: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: Group
  }
  deleteGroup: {
    response: Deleted
  }
  listGroups: {
    query: {
      /** Only groups of this user. */
      user_id?: string
      /** Only groups in this segment of groups, by its key. Not together with other filters. */
      segment?: string
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: created_at, attributes.name. Defaults to `created_at`. Of `attributes.name` the first 256 characters are compared, by code point; names that are equal up to there are ordered by id. */
      order_by?: string[]
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: GroupList
  }
  removeMembership: {
    query: {
      /** The user. */
      user_id: string
      /** The group. */
      group_id: string
    }
    response: Deleted
  }
  trackEvent: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    body: TrackEvent
    response: Event
  }
  listEvents: {
    query: {
      /** Only events of this user. */
      user_id?: string
      /** Only events of this group. */
      group_id?: string
      /** Only events of this name. */
      name?: string
      /** Only events of this time or later, as an ISO 8601 date-time. Times are compared to the millisecond. */
      'time[gte]'?: string
      /** Only events after this time, as an ISO 8601 date-time. Times are compared to the millisecond. */
      'time[gt]'?: string
      /** Only events of this time or earlier, as an ISO 8601 date-time. Times are compared to the millisecond. */
      'time[lte]'?: string
      /** Only events before this time, as an ISO 8601 date-time. Times are compared to the millisecond. */
      'time[lt]'?: string
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: time, created_at. Defaults to `-time`. */
      order_by?: string[]
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: EventList
  }
  getEvent: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: Event
  }
  deleteEvent: {
    response: Deleted
  }
  listAttributeDefinitions: {
    query: {
      /** Only attributes that were seen on these events. */
      event_name?: string[]
      /** Only this scope. Without it, the scopes `user` and `event` are listed. `group` and `group_membership` are additions: the definitions of the attributes of groups and of memberships are listed only by them. */
      scope?: 'user' | 'event' | 'group' | 'group_membership'
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: display_name, created_at, name. Defaults to `display_name`. */
      order_by?: string[]
    }
    response: AttributeDefinitionList
  }
  listEventDefinitions: {
    query: {
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: display_name, created_at, name. Defaults to `display_name`. */
      order_by?: string[]
    }
    response: EventDefinitionList
  }
  claimContent: {
    body: ClaimContent
    response: ContentClaim
  }
  reportProgress: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    body: ReportProgress
    response: ReportedContentSession
  }
  listContentSessions: {
    query: {
      /** Only sessions of this content. */
      content_id?: string
      /** Only sessions of this user. */
      user_id?: string
      /** Only completed sessions, or only those that are not. */
      completed?: 'true' | 'false'
      /** Only sessions that began at this time or later, as an ISO 8601 date-time. */
      'created_at[gte]'?: string
      /** Only sessions that began before this time, as an ISO 8601 date-time. */
      'created_at[lt]'?: string
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: created_at, last_activity_at. Defaults to `created_at`. */
      order_by?: string[]
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: ContentSessionList
  }
  getContentSession: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: ContentSession
  }
  endContentSession: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    body: EndContentSession
    response: ContentSession
  }
  deleteContentSession: {
    response: Deleted
  }
  forgetContentSessions: {
    query: {
      /** The content: its key or its id. */
      content: string
      /** The user. */
      user_id: string
    }
    response: Deleted
  }
  createWebhookSubscription: {
    body: CreateWebhookSubscription
    response: CreatedWebhookSubscription
  }
  getWebhookSubscription: {
    response: WebhookSubscription
  }
  updateWebhookSubscription: {
    body: UpdateWebhookSubscription
    response: WebhookSubscription
  }
  deleteWebhookSubscription: {
    response: Deleted
  }
  listWebhookSubscriptions: {
    query: {
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: created_at, url. Defaults to `created_at`. */
      order_by?: string[]
    }
    response: WebhookSubscriptionList
  }
  listWebhookDeliveries: {
    query: {
      /** Only deliveries in these states: waiting, retrying, held, sending, on_hold, delivered, given_up. */
      state?: string[]
      /** Only deliveries of what happened at this time or later, as an ISO 8601 date-time. */
      'created_at[gte]'?: string
      /** Only deliveries of what happened after this time, as an ISO 8601 date-time. */
      'created_at[gt]'?: string
      /** Only deliveries of what happened at this time or earlier, as an ISO 8601 date-time. */
      'created_at[lte]'?: string
      /** Only deliveries of what happened before this time, as an ISO 8601 date-time. */
      'created_at[lt]'?: string
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: created_at. Defaults to `-created_at`. */
      order_by?: string[]
    }
    response: WebhookDeliveryList
  }
  getWebhookDelivery: {
    response: WebhookDelivery
  }
  retryWebhookDelivery: {
    body: RetryWebhookDelivery
    response: WebhookDelivery
  }
  testWebhookSubscription: {
    body: TestWebhookSubscription
    response: WebhookDelivery
  }
  replayWebhookNotifications: {
    body: ReplayWebhookNotifications
    response: WebhookReplay
  }
  rotateWebhookSecret: {
    body: RotateWebhookSecret
    response: RotatedWebhookSubscription
  }
  listContent: {
    query: {
      /** Only this kind. */
      type?: 'flow' | 'checklist' | 'banner' | 'launcher'
      /** Only the content with this key. */
      key?: string
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: created_at, name. Defaults to `created_at`. */
      order_by?: string[]
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: ContentList
  }
  getContent: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: Content
  }
  saveContent: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    body: SaveContent
    response: Content
  }
  publishContent: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    body: PublishContent
    response: PublishAnswer
  }
  pushContent: {
    body: PushContent
    response: ContentPush
  }
  unpublishContent: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    body: UnpublishContent
    response: Content
  }
  deleteContent: {
    response: Deleted
  }
  listContentVersions: {
    query: {
      /** The content. */
      content_id: string
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: number. Defaults to `number`. */
      order_by?: string[]
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: ContentVersionList
  }
  getContentVersion: {
    query: {
      /** Field paths to expand, at most 4 levels deep. */
      expand?: string[]
    }
    response: ContentVersion
  }
  listThemes: {
    query: {
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: created_at, name. Defaults to `created_at`. */
      order_by?: string[]
    }
    response: ThemeList
  }
  saveTheme: {
    body: SaveTheme
    response: Theme
  }
  saveSegment: {
    body: SaveSegment
    response: Segment
  }
  countSegment: {
    body: CountSegment
    response: SegmentCount
  }
  explainSegment: {
    body: ExplainSegment
    response: Receipt
  }
  getSegment: {
    response: Segment
  }
  deleteSegment: {
    response: Deleted
  }
  listSegments: {
    query: {
      /** How many objects to return. */
      limit?: number
      /** Return what follows the object with this id. */
      starting_after?: string
      /** Part of `next_page_url`: keeps the place when the object that it follows is gone. Not to be made by hand. */
      position?: string
      /** The order, ascending, or descending with `-`: created_at, name. Defaults to `created_at`. */
      order_by?: string[]
    }
    response: SegmentList
  }
  decide: {
    body: Decide
    response: Decision
  }
  runBatch: {
    body: RunBatch
    response: Batch
  }
}

/** The fields that each list can be ordered by. */
export interface Orderable {
  users: 'created_at' | 'attributes.signed_up_at' | 'attributes.last_seen_at' | 'attributes.name'
  groups: 'created_at' | 'attributes.name'
  definitions: 'display_name' | 'created_at' | 'name'
  subscriptions: 'created_at' | 'url'
  deliveries: 'created_at'
  events: 'time' | 'created_at'
  content: 'created_at' | 'name'
  versions: 'number'
  themes: 'created_at' | 'name'
  segments: 'created_at' | 'name'
  sessions: 'created_at' | 'last_activity_at'
}

/** The object that the notifications of each topic carry. */
export interface NotificationObjects {
  'user.created': User
  'user.updated': User
  'event.tracked': Event
}

export type ErrorCode =
  | 'invalid_params'
  | 'invalid_json'
  | 'https_required'
  | 'feature_not_available'
  | 'invalid_api_key'
  | 'not_found'
  | 'unknown_url'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'idempotency_key_reused'
  | 'draft_changed'
  | 'in_use'
  | 'user_unknown'
  | 'not_published'
  | 'guidance_off'
  | 'version_changed'
  | 'already_seen'
  | 'already_completed'
  | 'not_again_before'
  | 'at_most_reached'
  | 'quiet_until'
  | 'shown_elsewhere'
  | 'claimed'
  | 'sequence_gap'
  | 'request_timeout'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'overloaded'
  | 'unavailable'

/** The statuses of failures. */
export type ErrorStatus = 400 | 401 | 404 | 405 | 406 | 408 | 409 | 413 | 415 | 429 | 431 | 500 | 503
