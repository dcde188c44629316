import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { defaultTheme } from '../../contract/content/theme.ts'
import { Button } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table } from '../parts/table.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { themesQuery } from './queries.ts'
import { NewThemeDialog } from './theme-actions.tsx'
import { themeColumns } from './theme-columns.tsx'
import '../styles/themes.css'

/** How widgets look: the themes, what uses them, and whether they can be read. */
export function ThemesPage() {
  const { slug } = useEnvironment()
  const query = useQuery(themesQuery(slug))
  const [isNew, setNew] = useState(false)
  const columns = useMemo(() => themeColumns(slug), [slug])
  const list = query.data
  const first = list?.data.find(({ document }) => document.key === defaultTheme.key)?.document ?? defaultTheme
  return (
    <>
      <Bar current="Themes" />
      <Page
        wide
        title="Themes"
        sub="How your users see content. A theme is live: what you save counts at once for all content that has it."
        end={
          <Button
            kind="primary"
            icon="plus"
            disabled={!list}
            reason={list && !list.may_publish ? 'Needs the role admin' : undefined}
            onClick={() => setNew(true)}
          >
            New theme
          </Button>
        }
      >
        <Loaded query={query} what="The list" skeleton={<SkeletonRows rows={4} columns={4} />}>
          {({ data }) => (
            <div className="t-themes">
              <Table label="Themes" rows={data} columns={columns} keyOf={({ document }) => document.key} />
            </div>
          )}
        </Loaded>
        {isNew && list && <NewThemeDialog list={list} from={first} onClose={() => setNew(false)} />}
      </Page>
    </>
  )
}
