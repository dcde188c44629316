import { Type } from '../type.ts'
import { closed, key, oneOfWords, text } from './fields.ts'
import { defaultTheme } from './theme.ts'

const color = (name: string) =>
  Type.String({
    description: `The colour of ${name.replaceAll('_', ' ')}.`,
    pattern: '^#[0-9a-fA-F]{6}$',
    'x-rule': 'must be a colour such as #0b6e62',
  })

const colors = (description: string) =>
  closed(Object.fromEntries(Object.keys(defaultTheme.light).map((name) => [name, color(name)])), description)

/** The JSON Schema of themes. */
export const themeSchema = closed(
  {
    key: key('Unique in its environment.'),
    name: text('What your team calls it.', 100),
    light: colors('On light pages.'),
    dark: colors('On dark pages.'),
    radius: Type.Unsafe<number>({ type: 'integer', enum: [0, 6, 12, 18], description: 'Of corners, in pixels.' }),
    font: oneOfWords(['page', 'system', 'serif', 'mono'], '`page` takes the font of the page.'),
    shadow: oneOfWords(['none', 'soft', 'strong'], 'Under dialogs and tooltips.'),
    mode: oneOfWords(['page', 'system', 'light', 'dark'], 'Which colours count.'),
  },
  'How widgets look.',
)
