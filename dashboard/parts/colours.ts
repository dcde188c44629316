const TOKENS = [
  'accent',
  'accent-soft',
  'bar',
  'border-soft',
  'border-control',
  'text-3',
  'canvas',
  'warn-dot',
  'bad-dot',
] as const

export type Colours = Record<(typeof TOKENS)[number], string>

/** The tokens as colours of the current theme: a canvas does not support light-dark(). */
export function readColours(): Colours {
  const probe = document.body.appendChild(document.createElement('span'))
  const colours = TOKENS.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(colours) as Colours
}
