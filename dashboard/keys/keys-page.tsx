import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../api.ts'
import { Empty } from '../parts/blank.tsx'
import { Button } from '../parts/button.tsx'
import { EditableText } from '../parts/editable-text.tsx'
import { Absent } from '../parts/facts.tsx'
import { Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { State } from '../parts/state.tsx'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { type Key, keysQuery } from './queries.ts'
import { RevokeKey } from './revoke-key.tsx'

export function KeysPage({ create }: { create: boolean }) {
  const { slug, name } = useEnvironment()
  const query = useQuery(keysQuery(slug))
  const [creating, setCreating] = useState(create)
  const reason = useReason('createKey')
  const renaming = useReason('renameKey')
  const columns = useMemo(() => keyColumns(slug, renaming), [slug, renaming])
  const button = (
    <Button kind="primary" icon="plus" reason={reason} onClick={() => setCreating(true)}>
      Create key
    </Button>
  )
  return (
    <>
      <Bar current="API keys" />
      <Page
        wide
        title="API keys"
        sub={<p>Your back end sends one of them with every request. Each belongs to {name} alone.</p>}
        end={query.data?.data.length === 0 ? null : button}
      >
        <Loaded query={query} what="The list" skeleton={<SkeletonRows rows={4} />}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No keys yet" action={button}>
                Create one, and give it to the back end that sends users and events to {name}.
              </Empty>
            ) : (
              <Table label="API keys" rows={sorted(data)} columns={columns} keyOf={(key) => String(key.id)} />
            )
          }
        </Loaded>
      </Page>
      {creating && !reason && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </>
  )
}

async function renameKey(environment: string, id: number, name: string): Promise<void> {
  await call('renameKey', { environment, key_id: String(id), name: name.trim() })
  await queryClient.invalidateQueries({ queryKey: keysQuery(environment).queryKey })
}

/** Keys that work come first. */
const sorted = (keys: Key[]) => [...keys].sort((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null))

const keyColumns = (environment: string, renaming: string | undefined): TableColumn<Key>[] => [
  {
    id: 'name',
    head: 'Name',
    cell: (key) =>
      key.revoked_at ? (
        <b className="t3" dir="auto">
          {key.name}
        </b>
      ) : (
        <EditableText
          strong
          label={`name of ${key.name || key.shown}`}
          placeholder="No name"
          value={key.name}
          reason={renaming}
          onSave={(name) => renameKey(environment, key.id, name)}
        />
      ),
  },
  { id: 'shown', head: 'Key', mono: true, cell: (key) => <span className="t2">{key.shown}</span> },
  { id: 'by', head: 'Made by', cell: (key) => <span dir="auto">{key.created_by ?? 'Command line'}</span>, wide: true },
  { id: 'made', head: 'Made', cell: (key) => <Time at={key.created_at} /> },
  {
    id: 'used',
    head: 'Last used',
    cell: (key) => (key.last_used_at ? <Time at={key.last_used_at} as="activity" /> : <Absent />),
  },
  {
    id: 'act',
    head: 'Actions',
    isHeadHidden: true,
    align: 'end',
    cell: (key) =>
      key.revoked_at ? (
        <State tone="mute" shape="cross">
          Revoked
        </State>
      ) : (
        <RevokeKey environment={environment} apiKey={key} />
      ),
  },
]
