/** How much of its path a message quotes (server/http/router.ts). */
const LONGEST_PATH = 200
const MARKS = ["'", '"', '`']

/**
 * A message without what it quotes of the request: that may be a value of a user, and what is counted is kept longer than the
 * user. What is between the first and the last mark of a kind goes, since a value can have marks in it.
 */
export function withoutQuotes(message: string, { method, url }: { method: string; url: string }): string {
  const [path = ''] = url.split('?', 1)
  let text = message.replace(`${method} ${path.slice(0, LONGEST_PATH)}`, () => `${method} …`)
  for (const mark of MARKS) {
    const [first, last] = [text.indexOf(mark), text.lastIndexOf(mark)]
    if (first >= 0) text = `${text.slice(0, first + 1)}…${last > first ? text.slice(last) : ''}`
  }
  return text
}
