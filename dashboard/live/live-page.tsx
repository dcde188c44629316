import { useQuery } from '@tanstack/react-query'
import { count } from '../format/number.ts'
import { Segments } from '../parts/segments.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { ErrorsView } from './errors-view.tsx'
import { Feed } from './feed.tsx'
import type { LiveSearch, VIEWS } from './live-search.ts'
import { requestErrorsQuery } from './queries.ts'
import { RequestDrawer } from './request-drawer.tsx'

type Props = { search: LiveSearch; onSearch: (search: LiveSearch, replace?: boolean) => void }

export function LivePage({ search, onSearch }: Props) {
  const view = search.view ?? 'requests'
  return (
    <>
      <Bar
        current="Live"
        end={<Views view={view} onView={(next) => onSearch({ ...search, view: next, open: undefined })} />}
      />
      <h1 className="sr">Live</h1>
      <div className={search.open ? 'live open' : 'live'}>
        {view === 'errors' ? (
          <ErrorsView search={search} onSearch={onSearch} />
        ) : (
          <Feed search={search} onSearch={onSearch} />
        )}
        {search.open && (
          <RequestDrawer
            requestId={search.open}
            onClose={() => onSearch({ ...search, open: undefined })}
            onMove={moveOpenRow}
          />
        )}
      </div>
    </>
  )
}

type View = (typeof VIEWS)[number]

function Views({ view, onView }: { view: View; onView: (view: View) => void }) {
  const { slug } = useEnvironment()
  const { data } = useQuery(requestErrorsQuery(slug))
  return (
    <Segments
      label="View"
      value={view}
      onChange={onView}
      options={[
        { value: 'requests', label: 'Requests' },
        { value: 'events', label: 'Events' },
        {
          value: 'errors',
          label: <>Errors, 24 h {data && data.total > 0 && <span className="t3 cnt">{count(data.total)}</span>}</>,
        },
      ]}
    />
  )
}

/** Opens the row above or below the one that is open. */
function moveOpenRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('.live-l [data-row]')]
  const at = links.findIndex((link) => link.closest('tr')?.classList.contains('sel'))
  if (at !== -1) links[at + step]?.click()
}
