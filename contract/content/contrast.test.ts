import { expect, it } from 'vitest'
import { colorPairs, contrastOf, contrastWarnings, nearestPassing, roundedDown } from './contrast.ts'
import { defaultTheme } from './theme.ts'

it('measures by WCAG, and never rounds a failing contrast up to a passing one', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21)
  expect(contrastOf('#0b6e62', '#ffffff')).toBeCloseTo(6.14, 1)
  expect(roundedDown(4.499)).toBe('4.4')
})

it('the default theme passes in every pair of both modes', () => {
  expect(contrastWarnings(defaultTheme)).toEqual([])
})

it('warns of each pair below its least, with the mode and the figure', () => {
  const pale = { ...defaultTheme, light: { ...defaultTheme.light, text: '#999999', control: '#dddddd' } }
  expect(contrastWarnings(pale).map(({ message }) => message)).toEqual([
    'text on background of the theme `default` has a contrast of 2.8 in light mode; 4.5 can be read by most people',
    'text on soft of the theme `default` has a contrast of 2.4 in light mode; 4.5 can be read by most people',
    'control on background of the theme `default` has a contrast of 1.3 in light mode; 3 can be seen by most people',
  ])
})

it('proposes a colour that passes against every ground, and keeps one that already does', () => {
  for (let seed = 0; seed < 40; seed++) {
    const color = (factor: number) => `#${((seed * factor) % 0x1000000).toString(16).padStart(6, '0')}`
    const [front, ground] = [color(7_919_993), color(5_308_417)]
    for (const { least } of colorPairs) {
      const proposed = nearestPassing(front, ground, least)
      expect(contrastOf(proposed, ground)).toBeGreaterThanOrEqual(least)
      if (contrastOf(front, ground) >= least) expect(proposed).toBe(front)
    }
  }
})
