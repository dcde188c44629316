import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../parts/blank.tsx'
import { Page } from '../parts/page.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { BackButton } from '../shell/back-button.tsx'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { crumbs } from './crumbs.ts'
import { type Theme, themesQuery } from './queries.ts'
import { ThemeEditor } from './theme-editor.tsx'
import '../styles/studio.css'
import '../styles/content.css'
import '../styles/editor.css'
import '../styles/segments.css'
import '../styles/themes.css'

export function ThemePage({ themeKey }: { themeKey: string }) {
  const { slug } = useEnvironment()
  const query = useQuery(themesQuery(slug))
  const found = query.data?.data.find(({ document }) => document.key === themeKey)
  // Somebody else may delete it while it is edited here: what was changed stays.
  const [last, setLast] = useState<Theme>()
  if (found && found !== last) setLast(found)
  const theme = found ?? (last?.document.key === themeKey ? last : undefined)
  if (query.data && theme) return <ThemeEditor key={themeKey} theme={theme} list={query.data} isGone={!found} />
  return (
    <>
      <Bar crumbs={crumbs(slug)} current="Theme" />
      <Page title="Theme">
        <Loaded query={query} what="The theme" skeleton={<Bone width={320} height={28} />}>
          {() => (
            <Empty title="There is nothing here" action={<BackButton />}>
              There is no theme {themeKey}. It may have been deleted, or it belongs to another environment.
            </Empty>
          )}
        </Loaded>
      </Page>
    </>
  )
}
