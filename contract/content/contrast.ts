import type { DocumentProblem } from './check.ts'
import type { ThemeColors, ThemeDocument } from './theme.ts'

/** Two colours of a theme that meet, and the least contrast of WCAG 2.2 AA between them: 4.5 for text, 3 for shapes. */
export interface ColorPair {
  name: string
  front: keyof ThemeColors
  ground: keyof ThemeColors
  least: 3 | 4.5
  /** Which of the two is changed to make it pass. */
  changes: keyof ThemeColors
}

const pair = (
  name: string,
  front: keyof ThemeColors,
  ground: keyof ThemeColors,
  least: ColorPair['least'],
  changes = front,
): ColorPair => ({ name, front, ground, least, changes })

export const colorPairs: readonly ColorPair[] = [
  pair('Text on background', 'text', 'background', 4.5),
  pair('Second text', 'secondary_text', 'background', 4.5),
  pair('Text on a banner', 'text', 'soft', 4.5),
  pair('Button text on accent', 'on_accent', 'accent', 4.5, 'accent'),
  pair('Button pointed at', 'on_accent', 'accent_hover', 4.5, 'accent_hover'),
  pair('Links and ring', 'accent', 'background', 4.5),
  pair('Outline of controls', 'control', 'background', 3),
]

/** What publishing warns of. A theme is never refused for its colours. */
export function contrastWarnings(theme: ThemeDocument): DocumentProblem[] {
  return (['light', 'dark'] as const).flatMap((mode) =>
    colorPairs.flatMap(({ front, ground, least }) => {
      const ratio = contrastOf(theme[mode][front], theme[mode][ground])
      if (ratio >= least) return []
      const words = `${front.replaceAll('_', ' ')} on ${ground.replaceAll('_', ' ')} of the theme \`${theme.key}\``
      const found = `has a contrast of ${roundedDown(ratio)} in ${mode} mode; ${least} can be ${least === 3 ? 'seen' : 'read'} by most people`
      return [{ path: 'theme', message: `${words} ${found}` }]
    }),
  )
}

/** With one decimal, and never more than it is: 4.49 must not read as 4.5. */
export const roundedDown = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1)

/** By WCAG: 1 to 21. */
export function contrastOf(first: string, second: string): number {
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** The colour that makes a pair pass: the nearest to the one that is changed. */
export function betterColor({ front, ground, changes, least }: ColorPair, colors: ThemeColors): string {
  return nearestPassing(colors[changes], colors[changes === front ? ground : front], least)
}

/** The colour nearest to this one, on its way to black or to white, that passes against the other. */
export function nearestPassing(color: string, ground: string, least: number): string {
  if (contrastOf(color, ground) >= least) return color
  const steps = Array.from({ length: 100 }, (_, index) => (index + 1) / 100)
  for (const share of steps)
    for (const end of ['#000000', '#ffffff']) {
      const mixed = mix(color, end, share)
      if (contrastOf(mixed, ground) >= least) return mixed
    }
  // Against every ground either black or white has a contrast of 4.58 or more.
  throw new RangeError(`No colour has a contrast of ${least} against ${ground}`)
}

const channels = (color: string) => [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

function mix(color: string, other: string, share: number): string {
  const theirs = channels(other)
  const mixed = channels(color).map((value, index) => value + ((theirs[index] as number) - value) * share)
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
