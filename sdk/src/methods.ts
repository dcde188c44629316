/**
 * Only types, and without imports: the package contains this file as it is, as its declarations. The types of attributes are
 * those of the contract; `application.ts` does not compile when they differ.
 */
export type AttributeValue = string | number | boolean
export type Attributes = Record<string, AttributeValue>
export type AttributeInput =
  | AttributeValue
  | null
  | {
      set?: AttributeValue
      set_once?: AttributeValue
      add?: number
      subtract?: number
      data_type?: 'string' | 'boolean' | 'number' | 'datetime' | null
    }
export type AttributeInputs = Record<string, AttributeInput>

/** How a call ended. No promise of the script rejects: a call that nobody awaits must not become an error of the page. */
export interface Result {
  ok: boolean
  /** Why not, in words. */
  problem?: string
}

export type UsherEvent =
  | 'started'
  | 'stepSeen'
  | 'completed'
  | 'flowEnded'
  | 'checklistEnded'
  | 'flowvisibilitychange'
  | 'missing'

// biome-ignore lint/suspicious/noExplicitAny: each event passes an object of its own form
export type UsherListener = (detail: any) => void

/** The methods, with the names and shapes that people already have in their code. */
export interface Usher {
  /** `endpoint` is by default where the script came from. */
  init(token: string, options?: { endpoint?: string | URL }): void
  /** Loads the script now. The first call that needs it loads it, too. */
  load(): Promise<Result>
  identify(
    userId: string,
    attributes?: AttributeInputs,
    options?: { signature?: string; token?: string },
  ): Promise<Result>
  identifyAnonymous(attributes?: AttributeInputs): Promise<Result>
  updateUser(attributes: AttributeInputs): Promise<Result>
  group(
    groupId: string | null,
    attributes?: AttributeInputs,
    options?: { membership?: AttributeInputs },
  ): Promise<Result>
  updateGroup(attributes: AttributeInputs, options?: { membership?: AttributeInputs }): Promise<Result>
  track(name: string, attributes?: Attributes, options?: { userOnly?: boolean }): Promise<Result>
  /** Starts a content by its key or id. */
  start(content: string, options?: { once?: boolean }): Promise<Result>
  endAll(): Promise<Result>
  endChecklist(): Promise<Result>
  isIdentified(): boolean
  /** Forgets the user, as at sign-out. */
  reset(): void
  /** Puts what is shown back into the page, after the page has replaced its document. */
  remount(): void
  on(event: UsherEvent, listener: UsherListener): void
  off(event: UsherEvent, listener: UsherListener): void
  setCustomNavigate(navigate: ((url: string) => void) | null): void
  /** Every address passes it before anything else looks at it. */
  setUrlFilter(filter: ((url: string) => string) | null): void
  setLinkUrlDecorator(decorate: ((url: string) => string) | null): void
  setScrollPadding(padding: { top?: number; right?: number; bottom?: number; left?: number } | null): void
  setCustomScrollIntoView(scroll: ((element: Element) => void) | null): void
  setBaseZIndex(zIndex: number): void
  setServerEndpoint(endpoint: string): void
  setCustomInputSelector(selector: string | null): void
  registerCustomInput(selector: string, read?: (element: Element) => string): void
  setInferenceAttributeNames(names: string[]): void
  setInferenceAttributeFilter(name: string, filters: unknown): void
  setInferenceClassNameFilter(filters: unknown): void
  setPageTrackingDisabled(isDisabled: boolean): void
  openResourceCenter(): null
  closeResourceCenter(): null
  toggleResourceCenter(): null
  getResourceCenterState(): null
  setResourceCenterLauncherHidden(isHidden: boolean): null
}
