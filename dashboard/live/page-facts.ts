/** What an answer to a page says of its user: whether it is verified, and what it sent that was not written. */
export interface PageFacts {
  verified: boolean | undefined
  ignored: { name: string; reason: string }[]
  /** How many others were not written. */
  ignoredMore: number
}

/** Undefined when it is no answer to a page, or was cut. */
export function pageFacts(url: string, answer: string | null): PageFacts | undefined {
  if (!/^\/sdk\/(identify|group|update)\b/.test(url) || !answer) return undefined
  try {
    const { verified, ignored, ignored_more } = JSON.parse(answer) as Record<string, unknown>
    return {
      verified: typeof verified === 'boolean' ? verified : undefined,
      ignored: ignoredOf(ignored),
      ignoredMore: typeof ignored_more === 'number' ? ignored_more : 0,
    }
  } catch {
    return undefined
  }
}

function ignoredOf(ignored: unknown): PageFacts['ignored'] {
  if (!Array.isArray(ignored)) return []
  return ignored.filter((one) => typeof one?.name === 'string' && typeof one?.reason === 'string')
}
