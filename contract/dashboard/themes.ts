import type { Static } from 'typebox'
import type { ThemeDocument } from '../content/theme.ts'
import { Type } from '../type.ts'
import { body, Done, flag, listOf, orNull, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'

/** Themes: how widgets look. They are live: a change reaches users at once. */

const document = Type.Unsafe<ThemeDocument>({ type: 'object' })

/** The default theme exists before it is stored: then it has no id. */
export const Theme = resource({
  id: orNull(text),
  document,
  edited_at: orNull(time),
  /** The names of the published content that it is the theme of. */
  used_by: listOf(text),
})
export type Theme = Static<typeof Theme>

export const themeOperations = {
  listThemes: { ...paths.listThemes, response: resource({ data: listOf(Theme), may_publish: flag }) },
  saveTheme: { ...paths.saveTheme, body: body({ document }), response: resource({ id: text }) },
  deleteTheme: { ...paths.deleteTheme, response: Done },
} as const
