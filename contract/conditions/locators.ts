/** Locators in the notation of Playwright: `testid=export`, `role=button[name="Export"]`, `text=Export`, `css=#export`. */

/** What JSON Schema can say of them. */
export const LOCATOR_PATTERN = String.raw`^(?:(?:testid|text|css)=[\s\S]*\S[\s\S]*|role=[a-z]+(?:\[name="(?:[^"\\]|\\.)*"\])?)$`

const LOCATOR_RULE = 'must begin with testid=, role=, text= or css='
const ROLE = /^[a-z]+(?:\[name="(?:[^"\\]|\\.)*"\])?$/

const problems: Readonly<Record<string, (value: string) => string | undefined>> = {
  testid: () => undefined,
  text: () => undefined,
  role: (value) => (ROLE.test(value) ? undefined : 'must be written as role=button or role=button[name="Export"]'),
  css: (value) => (isBalanced(value) ? undefined : 'has brackets or quotes that are not closed'),
}

export function locatorProblem(locator: string): string | undefined {
  const end = locator.indexOf('=')
  const kind = locator.slice(0, Math.max(end, 0))
  const check = Object.hasOwn(problems, kind) ? problems[kind] : undefined
  if (!check) return LOCATOR_RULE
  const value = locator.slice(end + 1)
  return value.trim() === '' ? 'has nothing behind the equals sign' : check(value)
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']' }

/** The page refuses a selector that it cannot read, and says so. Only what is certainly cut off is refused here. */
function isBalanced(selector: string): boolean {
  const open: string[] = []
  let quote = ''
  for (let index = 0; index < selector.length; index++) {
    const character = selector[index] as string
    if (character === '\\') index++
    else if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character in closers) open.push(closers[character] as string)
    else if ((character === ')' || character === ']') && open.pop() !== character) return false
  }
  return open.length === 0 && quote === ''
}
