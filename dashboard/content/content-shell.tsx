import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Outlet, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { Page } from '../parts/page.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { PublishDialog } from '../publication/publish-dialog.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { ConflictStrip } from './conflict-strip.tsx'
import { ContentHead } from './content-head.tsx'
import { ContentTabs } from './content-tabs.tsx'
import { DeletedStrip } from './deleted-strip.tsx'
import { DraftStore } from './draft-store.ts'
import { InPlaceProvider } from './in-place-provider.tsx'
import { ProposalStrip } from './proposal-strip.tsx'
import { type ContentDetail, contentQuery, keepSaved, versionQuery } from './queries.ts'
import { SaveState } from './save-state.tsx'
import { useContentKeys } from './use-content-keys.ts'
import { ContentContext, useContent, useDraftState } from './use-draft.ts'
import '../styles/studio.css'
import '../styles/content.css'

/** The head and the tabs of a content, around the page of each tab. */
export function ContentShell({ id }: { id: string }) {
  const { slug } = useEnvironment()
  const query = useQuery(contentQuery(slug, id))
  if (query.data) return <Opened key={query.data.id} detail={query.data} />
  return <Waiting query={query} what="The content" />
}

/** Until it is there, or for what keeps it from being there. */
function Waiting({ query, what }: { query: UseQueryResult; what: string }) {
  const { slug } = useEnvironment()
  return (
    <>
      <Bar crumbs={crumbs(slug)} current="…" />
      <Page title="Content">
        <Loaded query={query} what={what} skeleton={<Bone width={320} height={28} />}>
          {() => null}
        </Loaded>
      </Page>
    </>
  )
}

const crumbs = (environment: string) => [
  { label: 'Content', link: { to: '/$environment/content', params: { environment } } } as const,
]

function Opened({ detail }: { detail: ContentDetail }) {
  const { slug } = useEnvironment()
  const role = useReason('saveDraft')
  const search = useSearch({ strict: false }) as { at?: number; publish?: string }
  const asked = useQuery({ ...versionQuery(slug, detail.id, search.at ?? 0), enabled: search.at !== undefined })
  const version = search.at === undefined ? undefined : asked.data
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store lives as long as the page, and adopts what is newer
  const store = useMemo(
    () => new DraftStore(slug, detail, (saved) => keepSaved(slug, detail.id, saved)),
    [slug, detail.id],
  )
  useEffect(() => store.adopt(detail), [store, detail])
  useEffect(() => {
    store.open()
    return () => store.close()
  }, [store])
  const reason = role ?? (version ? `Version ${version.number} does not change` : undefined)
  const open = { detail, store, reason, version }
  // Not the draft, which could be changed by somebody who means the version.
  if (search.at !== undefined && !version) return <Waiting query={asked} what={`Version ${search.at}`} />
  return (
    <ContentContext value={open}>
      <InPlaceProvider>
        <Chrome />
      </InPlaceProvider>
      {search.publish !== undefined && <PublishDialog />}
    </ContentContext>
  )
}

function Chrome() {
  const { slug: environment } = useEnvironment()
  const { store } = useContent()
  const { document } = useDraftState(store)
  useContentKeys()
  return (
    <>
      <Bar crumbs={crumbs(environment)} current={document.name || 'Without a name'} end={<SaveState />} />
      <ContentHead />
      <ConflictStrip />
      <DeletedStrip />
      <ProposalStrip />
      <ContentTabs />
      <Outlet />
    </>
  )
}
