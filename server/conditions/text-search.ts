/** The engine's own search for a part of up to this length takes at most 0.1 ms in 8,192 characters. */
const SHORT = 256

/**
 * Whether texts have this part in them. The engine's own search takes up to the product of both lengths: 4 ms for 1,000
 * characters of `x` with a `y` in the middle in 8,192 of `x`. For a long part this takes the sum, as Knuth, Morris and Pratt do.
 */
export function searchFor(part: string): (text: string) => boolean {
  if (part.length <= SHORT) return (text) => text.includes(part)
  let fallbacks: Uint16Array | undefined
  return (text) => {
    fallbacks ??= fallbacksOf(part)
    return isIn(text, part, fallbacks)
  }
}

/** For each length of a beginning of the part: how much of its end is a shorter beginning. */
function fallbacksOf(part: string): Uint16Array {
  const fallbacks = new Uint16Array(part.length + 1)
  let fits = 0
  for (let length = 2; length <= part.length; length += 1) {
    fits = nextFit(part, fits, part.charCodeAt(length - 1), fallbacks)
    fallbacks[length] = fits
  }
  return fallbacks
}

function isIn(text: string, part: string, fallbacks: Uint16Array): boolean {
  let fits = 0
  for (let at = 0; at < text.length; at += 1) {
    fits = nextFit(part, fits, text.charCodeAt(at), fallbacks)
    if (fits === part.length) return true
  }
  return false
}

/** How long the beginning of the part is that fits, one character after one of the length `fits` did. */
function nextFit(part: string, fits: number, character: number, fallbacks: Uint16Array): number {
  let length = fits
  while (length > 0 && part.charCodeAt(length) !== character) length = fallbacks[length] as number
  return part.charCodeAt(length) === character ? length + 1 : length
}
