/** How widgets look. Live: a change counts at once for all content that names it, and is part of no version. */
export interface ThemeDocument {
  key: string
  name: string
  light: ThemeColors
  dark: ThemeColors
  radius: 0 | 6 | 12 | 18
  /** `page` takes the font of the page. */
  font: 'page' | 'system' | 'serif' | 'mono'
  shadow: 'none' | 'soft' | 'strong'
  /** Which colours count: `page` reads `color-scheme`, `.dark` and `data-theme` of the page. */
  mode: 'page' | 'system' | 'light' | 'dark'
}

/** Each as `#rrggbb`. */
export interface ThemeColors {
  background: string
  text: string
  secondary_text: string
  accent: string
  accent_hover: string
  on_accent: string
  soft: string
  line: string
  control: string
}

/** What content without a theme uses. */
export const defaultTheme: ThemeDocument = {
  key: 'default',
  name: 'Default',
  light: {
    background: '#ffffff',
    text: '#15181c',
    secondary_text: '#4d545d',
    accent: '#0b6e62',
    accent_hover: '#095a50',
    on_accent: '#ffffff',
    soft: '#e4f3f0',
    line: '#e2e5e8',
    control: '#868e97',
  },
  dark: {
    background: '#1f2327',
    text: '#f2f4f5',
    secondary_text: '#b7bec5',
    accent: '#62d4c2',
    accent_hover: '#86e0d2',
    on_accent: '#06211d',
    soft: '#14352f',
    line: '#363c42',
    control: '#79828b',
  },
  radius: 12,
  font: 'page',
  shadow: 'soft',
  mode: 'page',
}
