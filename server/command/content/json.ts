import { createScanner, type ParseError, parse, printParseErrorCode, visit } from 'jsonc-parser'

const words: Readonly<Record<string, string>> = {
  InvalidSymbol: 'there is a word outside of quotes',
  InvalidNumberFormat: 'there is something that is no number',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: '} is missing',
  CloseBracketExpected: '] is missing',
  EndOfFileExpected: 'there is something behind its end',
  InvalidCommentToken: 'there is a comment that is none',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no end',
  UnexpectedEndOfNumber: 'a number has no end',
  InvalidUnicode: '\\u needs four hexadecimal digits',
  InvalidEscapeCharacter: 'there is an unknown character behind a backslash',
  InvalidCharacter: 'a text has a control character, such as a tab: write \\t',
}

/** Deeper than any document, and not too deep for the parser. */
const MOST_LEVELS = 200

/** JSON with comments and trailing commas. Only the first problem is told: others follow from it. */
export function parseJson(given: string): { value: unknown; problem: string | undefined } {
  // Some editors begin a file with a mark of its encoding.
  const text = given.replace(/^\ufeff/, '')
  if (levelsOf(text) > MOST_LEVELS) return { value: undefined, problem: `has more than ${MOST_LEVELS} levels` }
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const line = (offset: number) => `line ${text.slice(0, offset).split('\n').length}`
  const [first] = errors
  if (first) return { value, problem: `${line(first.offset)}: is not JSON: ${words[printParseErrorCode(first.error)]}` }
  const twice = repeatedName(text)
  return { value, problem: twice && `${line(twice.offset)}: has the field ${twice.name} twice` }
}

/** Of `SyntaxKind`, whose values are there for the compiler only. */
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, END] = [1, 2, 3, 4, 17]

function levelsOf(text: string): number {
  const scanner = createScanner(text, true)
  let [level, most] = [0, 0]
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) most = Math.max(most, ++level)
    else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) level--
  }
  return most
}

/** A name that an object has twice: parsers take the last, and readers may take the first. */
function repeatedName(text: string): { name: string; offset: number } | undefined {
  const open: Set<string>[] = []
  let found: { name: string; offset: number } | undefined
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty: (name, offset) => {
        if (open.at(-1)?.has(name)) found ??= { name, offset }
        open.at(-1)?.add(name)
      },
    },
    { allowTrailingComma: true },
  )
  return found
}
