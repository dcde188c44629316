import { useQuery } from '@tanstack/react-query'
import type { ContentDocument } from '../../contract/content/document.ts'
import { defaultTheme, type ThemeDocument } from '../../contract/content/theme.ts'
import { useEnvironment } from '../session/use-session.ts'
import { themesQuery } from '../themes/queries.ts'

/** The theme that a document names; the default one until it is known. */
export function useThemeOf({ theme = defaultTheme.key }: ContentDocument): ThemeDocument {
  const { slug } = useEnvironment()
  const themes = useQuery(themesQuery(slug)).data?.data
  return themes?.find(({ document }) => document.key === theme)?.document ?? defaultTheme
}
