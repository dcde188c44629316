/** The step of an axis: 1, 2 or 5 times a power of ten, so that about three of them reach the highest value. */
function stepOf(highest: number): number {
  const rough = Math.max(1, highest / 3)
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 3, 5, 6, 10].find((candidate) => candidate * power >= rough) ?? 10
  return factor * power
}

/** The round top above the highest value. */
export function topOf(highest: number): number {
  const step = stepOf(highest)
  return Math.max(step, Math.ceil(highest / step) * step)
}

/** From 0 to the top, in steps. */
export function ticksTo(highest: number): number[] {
  const step = stepOf(highest)
  return Array.from({ length: Math.round(topOf(highest) / step) + 1 }, (_, index) => index * step)
}

/** Every so many of the times, counted from the last one, so that there are no more than `most`: a day has one label. */
export function ticksAmong(times: readonly number[], most: number): number[] {
  const step = Math.max(1, Math.ceil(times.length / Math.max(1, most)))
  return times.filter((_, index) => (times.length - 1 - index) % step === 0)
}
