import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useContent } from '../content/use-draft.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Button } from '../parts/button.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { present } from '../search.ts'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { useAction } from '../shell/use-action.ts'
import { exportPeople } from './export-people.ts'
import { type CountedRun, countedRunsQuery, type Results, type RunFilter } from './queries.ts'
import { filterWords, runWords } from './words.ts'

type Props = { filter: RunFilter; results: Results; days: number | undefined; onClose: () => void }

/** The users behind a figure, newest first, with a file of all of them. */
export function PeopleDrawer({ filter, results, days, onClose }: Props) {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const asked = { environment, content_id: detail.id, version: results.number, ...present({ days }), ...filter }
  const list = useInfiniteQuery(countedRunsQuery(asked))
  const rows = list.data?.pages.flatMap((page) => page.data) ?? []
  const save = useAction(async () => await exportPeople(asked, `${detail.key}-users.csv`))
  const title = filterWords(filter, results)
  return (
    <Drawer label="The users behind the figure" title={<b className="clip">{title}</b>} onClose={onClose}>
      <div className="sec">
        <span className="t2">
          Version {results.number}. Runs of deleted users, and those past their retention, are counted only.
        </span>
        <span className="end">
          <Button small icon="download" busy={save.running && 'Exporting…'} onClick={() => void save.run()}>
            Export
          </Button>
        </span>
      </div>
      {save.problem && (
        <p className="problem-text" role="alert">
          {save.problem}
        </p>
      )}
      <Loaded query={list} what="The users" skeleton={<SkeletonRows rows={6} columns={1} />}>
        {() => (
          <>
            <ul className="people">
              {rows.map((run) => (
                <Person key={run.id} run={run} contentId={detail.id} />
              ))}
            </ul>
            <ListEnd shown={rows.length} list={list} byHand={rows.length === 0} />
          </>
        )}
      </Loaded>
    </Drawer>
  )
}

function Person({ run, contentId }: { run: CountedRun; contentId: string }) {
  const { slug: environment } = useEnvironment()
  const userId = run.user_id
  return (
    <li>
      <Avatar name={run.user_name ?? userId} />
      <span className="min-w-0">
        <Link className="link clip" to="/$environment/users/$userId" params={{ environment, userId }}>
          {run.user_name ?? userId}
        </Link>
        <small className="t2 clip">
          {runWords(run)} · <Time plain at={run.at} as="activity" />
        </small>
      </span>
      <Link
        className="btn sm"
        to="/$environment/content/$contentId/receipts/$userId"
        params={{ environment, contentId, userId }}
      >
        Why
      </Link>
    </li>
  )
}
