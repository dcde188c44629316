import type { Static } from 'typebox'
import type { ThemeDocument } from '../content/theme.ts'
import { Type } from '../type.ts'
import { body, Done, flag, givenTime, listOf, orNull, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'

/** Themes: how widgets look. They are live: a change reaches users at once. */

const document = Type.Unsafe<ThemeDocument>({ type: 'object' })

/** The default theme exists before it is stored: then it has no id. */
export const Theme = resource({
  id: orNull(text),
  document,
  edited_at: orNull(time),
  /** The content that names it, live or as a draft. */
  used_by: listOf(resource({ id: text, name: text, is_live: flag })),
})
export type Theme = Static<typeof Theme>

export const themeOperations = {
  listThemes: { ...paths.listThemes, response: resource({ data: listOf(Theme), may_publish: flag }) },
  saveTheme: {
    ...paths.saveTheme,
    /** `expected`: the `edited_at` of the theme that was changed, so that nobody's change is lost unseen. Null: it is new. */
    body: body({ document, expected: Type.Optional(orNull(givenTime)) }),
    response: resource({ id: text }),
  },
  deleteTheme: { ...paths.deleteTheme, response: Done },
} as const
