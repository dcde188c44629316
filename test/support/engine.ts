/** A browser of another engine than Chromium. */
export interface Engine {
  newTab(): Promise<EngineTab>
  close(): Promise<void>
}

/** Whatever is asked of the page is an expression in its own words. */
export interface EngineTab {
  goto(url: string): Promise<void>
  /** In front of the other tabs. */
  activate(): Promise<void>
  back(): Promise<void>
  evaluate(expression: string): Promise<unknown>
  /** Clicks the middle of the element that the expression gives, as a mouse does. */
  click(element: string): Promise<void>
  /** A character, or a key by its code point in WebDriver. */
  press(value: string): Promise<void>
}

/** Of an element on the screen. */
export interface Box {
  x: number
  y: number
  top: number
  bottom: number
  width: number
  height: number
}

export const KEYS = { Tab: '\uE004', Escape: '\uE00C', ArrowRight: '\uE014', F6: '\uE036' }

/** The actions of WebDriver for a click. */
export async function clickOn(tab: EngineTab, element: string): Promise<object[]> {
  const { x, y, width, height } = (await tab.evaluate(`${element}.getBoundingClientRect()`)) as Box
  return [
    { type: 'pointerMove', x: Math.round(x + width / 2), y: Math.round(y + height / 2) },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]
}

/** The actions of WebDriver for a key. */
export function pressOf(value: string): object[] {
  return [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]
}
