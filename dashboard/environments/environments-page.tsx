import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { count } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { Absent } from '../parts/facts.tsx'
import { Page } from '../parts/page.tsx'
import { useRowTab } from '../parts/row-focus.ts'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { type Environment, useReason, useSession } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Square } from '../shell/environment-switcher.tsx'
import { type UsageData, usageQuery } from '../usage/queries.ts'
import { CreateEnvironmentDialog } from './create-environment-dialog.tsx'
import { EnvironmentActions } from './environment-actions.tsx'

export function EnvironmentsPage() {
  const { environments } = useSession()
  const [creating, setCreating] = useState(false)
  const reason = useReason('createEnvironment')
  const { data: usage } = useQuery(usageQuery)
  const columns = useMemo(() => environmentColumns(usage?.environments ?? []), [usage])
  return (
    <>
      <Bar current="Environments" />
      <Page
        wide
        title="Environments"
        sub={<p>Each has its own users, groups, events, webhooks and keys.</p>}
        end={
          <Button kind="primary" icon="plus" reason={reason} onClick={() => setCreating(true)}>
            Create environment
          </Button>
        }
      >
        <Table label="Environments" rows={environments} columns={columns} keyOf={({ slug }) => slug} />
      </Page>
      {creating && <CreateEnvironmentDialog onClose={() => setCreating(false)} />}
    </>
  )
}

type Figures = UsageData['environments'][number]

const environmentColumns = (figures: readonly Figures[]): TableColumn<Environment>[] => [
  { id: 'name', head: 'Name', cell: (environment) => <EnvironmentLink environment={environment} /> },
  figureColumn('users', 'Users', figures, ({ users }) => users),
  figureColumn('requests', 'Requests, 24 h', figures, ({ requests_24_hours }) => requests_24_hours),
  { id: 'slug', head: 'In addresses', mono: true, cell: ({ slug }) => <span className="t2">{slug}</span> },
  { id: 'made', head: 'Made', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'act',
    head: 'Actions',
    isHeadHidden: true,
    align: 'end',
    cell: (environment) => <EnvironmentActions environment={environment} />,
  },
]

const figureColumn = (
  id: string,
  head: string,
  figures: readonly Figures[],
  pick: (figures: Figures) => number,
): TableColumn<Environment> => ({
  id,
  head,
  align: 'end',
  cell: ({ slug }) => {
    const own = figures.find((one) => one.slug === slug)
    return own ? count(pick(own)) : <Absent />
  },
})

function EnvironmentLink({ environment }: { environment: Environment }) {
  const tab = useRowTab()
  return (
    <Link className="who" data-row="" tabIndex={tab} to="/$environment" params={{ environment: environment.slug }}>
      <Square environment={environment} />
      <b dir="auto">{environment.name}</b>
    </Link>
  )
}
