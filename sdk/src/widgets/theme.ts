import type { ThemeColors, ThemeDocument } from '../../../contract/content/theme.ts'

const names: Record<keyof ThemeColors, string> = {
  background: 'bg',
  text: 'text',
  secondary_text: 'text-2',
  accent: 'accent',
  accent_hover: 'accent-hover',
  on_accent: 'on-accent',
  soft: 'soft',
  line: 'line',
  control: 'control',
}

const fonts: Record<ThemeDocument['font'], string> = {
  page: 'inherit',
  system: 'system-ui, sans-serif',
  serif: 'Georgia, "Times New Roman", serif',
  mono: 'ui-monospace, Menlo, Consolas, monospace',
}

const shadows: Record<ThemeDocument['shadow'], [light: string, dark: string]> = {
  none: ['0 0 0 1px rgb(16 24 32 / .12)', '0 0 0 1px rgb(255 255 255 / .14)'],
  soft: [
    '0 1px 2px rgb(16 24 32 / .06), 0 16px 40px -12px rgb(16 24 32 / .24), 0 0 0 1px rgb(16 24 32 / .07)',
    '0 1px 2px rgb(0 0 0 / .4), 0 16px 40px -12px rgb(0 0 0 / .7), 0 0 0 1px rgb(255 255 255 / .09)',
  ],
  strong: [
    '0 2px 4px rgb(16 24 32 / .12), 0 24px 56px -12px rgb(16 24 32 / .4), 0 0 0 1px rgb(16 24 32 / .08)',
    '0 2px 4px rgb(0 0 0 / .5), 0 24px 56px -12px rgb(0 0 0 / .85), 0 0 0 1px rgb(255 255 255 / .1)',
  ],
}

/** The rules of a theme. Colours that are none are left out: a theme cannot bring other rules in. */
export function themeRules(theme: ThemeDocument): string {
  const [light, dark] = shadows[theme.shadow] ?? shadows.soft
  const radius = Math.min(24, Math.max(0, Number(theme.radius) || 0))
  const rules = `:host{${colors(theme.light)}--r:${radius}px;--shadow:${light};--edge:rgb(16 24 32 / .08);--scrim:rgb(20 26 32 / .34);--font:${fonts[theme.font] ?? 'inherit'};color-scheme:light;}
:host([data-mode=dark]){${colors(theme.dark)}--shadow:${dark};--edge:rgb(255 255 255 / .11);--scrim:rgb(0 0 0 / .56);color-scheme:dark;}`
  // Of a rule of the page and one of ours for the host element, ours wins only so. Pages have variables of the same names.
  return rules.replaceAll(';', ' !important;')
}

function colors(of: ThemeColors): string {
  return Object.entries(names)
    .filter(([key]) => /^#[0-9a-f]{6}$/i.test(of[key as keyof ThemeColors] ?? ''))
    .map(([key, name]) => `--${name}:${of[key as keyof ThemeColors]};`)
    .join('')
}

/** Which colours count now. */
export function isDark(mode: ThemeDocument['mode']): boolean {
  if (mode === 'light' || mode === 'dark') return mode === 'dark'
  const system = matchMedia('(prefers-color-scheme: dark)').matches
  if (mode === 'system') return system
  for (const part of [document.body, document.documentElement]) {
    const named = part?.dataset.theme ?? ['dark', 'light'].find((name) => part?.classList.contains(name))
    if (named?.includes('dark')) return true
    if (named?.includes('light')) return false
  }
  const scheme = getComputedStyle(document.documentElement).colorScheme
  return scheme.includes('dark') && (system || !scheme.includes('light'))
}
