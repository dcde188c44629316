/** What a method answers before the script has loaded: a promise, or this value. Null is its answer afterwards, too. */
export type Early = 'promise' | undefined | false | null

/** Every method of `Usher`. The stub has one for each, and so has the script: a test compares them. */
export const methods = {
  init: undefined,
  load: 'promise',
  identify: 'promise',
  identifyAnonymous: 'promise',
  updateUser: 'promise',
  group: 'promise',
  updateGroup: 'promise',
  track: 'promise',
  start: 'promise',
  endAll: 'promise',
  endChecklist: 'promise',
  isIdentified: false,
  reset: undefined,
  remount: undefined,
  on: undefined,
  off: undefined,
  setCustomNavigate: undefined,
  setUrlFilter: undefined,
  setLinkUrlDecorator: undefined,
  setScrollPadding: undefined,
  setCustomScrollIntoView: undefined,
  setBaseZIndex: undefined,
  setServerEndpoint: undefined,
  setCustomInputSelector: undefined,
  registerCustomInput: undefined,
  setInferenceAttributeNames: undefined,
  setInferenceAttributeFilter: undefined,
  setInferenceClassNameFilter: undefined,
  setPageTrackingDisabled: undefined,
  openResourceCenter: null,
  closeResourceCenter: null,
  toggleResourceCenter: null,
  getResourceCenterState: null,
  setResourceCenterLauncherHidden: null,
} as const satisfies Readonly<Record<string, Early>>

export type Method = keyof typeof methods
/** Those that do something. The others are only there for pages that call them. */
export type WorkingMethod = { [Name in Method]: (typeof methods)[Name] extends null ? never : Name }[Method]
