import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { useAddress } from '../shell/use-address.ts'
import { ContentBody } from './content-body.tsx'
import type { ContentSearch } from './content-search.ts'
import { ListHead } from './list-head.tsx'
import { contentListQuery } from './queries.ts'
import { StartersPage } from './starters-page.tsx'
import '../styles/studio.css'
import '../styles/content.css'

/** What is written, what is live, and how it does. */
export function ContentPage() {
  const { slug } = useEnvironment()
  const [search, setSearch] = useAddress<ContentSearch>()
  const query = useQuery({ ...contentListQuery(slug), refetchInterval: 30_000 })
  const isEmpty = query.data?.data.length === 0
  const list = useMemo(() => query.data, [query.data])
  return (
    <>
      <Bar current="Content" />
      {list && (isEmpty || search.new) ? (
        <StartersPage list={list} onBack={isEmpty ? undefined : () => setSearch({})} />
      ) : (
        <div className="page wide t-content">
          <ListHead list={list} onNew={() => setSearch({ ...search, new: 'yes' })} />
          <Loaded query={query} what="The list" skeleton={<SkeletonRows rows={10} columns={7} />}>
            {(data) => <ContentBody list={data} search={search} onSearch={setSearch} />}
          </Loaded>
        </div>
      )}
    </>
  )
}
