import type { DocumentProblem } from './check.ts'
import type { ThemeColors, ThemeDocument } from './theme.ts'

/** WCAG 2.2 AA for text of normal size. */
const LEAST_CONTRAST = 4.5

const pairs = [
  ['text', 'background'],
  ['secondary_text', 'background'],
  ['on_accent', 'accent'],
] as const satisfies [keyof ThemeColors, keyof ThemeColors][]

export function contrastWarnings(theme: ThemeDocument): DocumentProblem[] {
  return (['light', 'dark'] as const).flatMap((mode) =>
    pairs.flatMap(([text, ground]) => {
      const ratio = contrastOf(theme[mode][text], theme[mode][ground])
      if (ratio >= LEAST_CONTRAST) return []
      const words = `${text.replaceAll('_', ' ')} on ${ground} of the theme \`${theme.key}\` has a contrast of ${ratio.toFixed(1)}`
      return [{ path: 'theme', message: `${words} in ${mode} mode; ${LEAST_CONTRAST} can be read by most people` }]
    }),
  )
}

/** By WCAG: 1 to 21. */
export function contrastOf(first: string, second: string): number {
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function luminance(color: string): number {
  const channel = (start: number) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}
