import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Condition } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import type { LiveCount } from '../conditions/use-count.ts'
import { count } from '../format/number.ts'
import { listColumns } from '../objects/list-columns.tsx'
import { readList } from '../objects/queries.ts'
import { FailedPart } from '../parts/blank.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table } from '../parts/table.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { useAddress } from '../shell/use-address.ts'

const PAGE = 20

type Props = { scope: 'user' | 'group'; condition: Condition | undefined; live: LiveCount }

/** Who is in it now, the newest first, 20 a page. Where the page begins is in the address. */
export function Members({ scope, condition, live }: Props) {
  const { slug } = useEnvironment()
  const [search, onSearch] = useAddress<{ from?: string | undefined }>()
  const [before, setBefore] = useState<(string | undefined)[]>([])
  const kind = scope === 'user' ? 'users' : 'groups'
  const text = JSON.stringify(condition)
  const shown = useRef(text)
  // Another rule has other pages: its list begins at the newest one.
  useEffect(() => {
    if (shown.current === text) return
    shown.current = text
    setBefore([])
    if (search.from !== undefined) onSearch({ from: undefined }, true)
  }, [text, search.from, onSearch])
  const query = useQuery({
    queryKey: [slug, kind, 'members', text, search.from],
    queryFn: ({ signal }) => readList(kind, slug, { condition: text, limit: PAGE }, search.from ?? '', signal),
    enabled: condition !== undefined,
    placeholderData: keepPreviousData,
  })
  const columns = useMemo(() => listColumns(kind, slug, attributesIn(text, scope)), [kind, slug, text, scope])
  if (condition === undefined) return null
  const { counted } = live
  return (
    <section aria-label="Members">
      <div className="sec mt-28">
        <h2 className="h2">Members</h2>
        <span className="c num">
          {live.error ? 'not counted' : counted && `${count(counted.count)} of ${count(counted.total)} ${kind}`}
        </span>
      </div>
      {live.error && <FailedPart what="The count" error={live.error} isAsking={live.isCounting} onRetry={live.again} />}
      <Loaded query={query} what="The list" skeleton={<SkeletonRows rows={6} />}>
        {(page) => (
          <>
            {page.data.length === 0 && page.next === null ? (
              <p className="t2">Nobody is in it now.</p>
            ) : (
              <Table
                label="Members"
                rows={page.data}
                columns={columns}
                keyOf={({ id }) => id}
                stale={query.isPlaceholderData}
              />
            )}
            <div className="pager">
              <span className="num">
                {page.is_bounded ? `Looked at ${count(page.looked_at ?? 0)}; more follow` : 'The newest first'}
              </span>
              <span className="end">
                <Button
                  small
                  disabled={search.from === undefined}
                  onClick={() => {
                    onSearch({ from: before.at(-1) })
                    setBefore(before.slice(0, -1))
                  }}
                >
                  <Icon name="arrowleft" />
                  Newer
                </Button>
                <Button
                  small
                  disabled={page.next === null}
                  onClick={() => {
                    setBefore([...before, search.from])
                    onSearch({ from: page.next ?? undefined })
                  }}
                >
                  Older
                  <Icon name="arrowright" />
                </Button>
              </span>
            </div>
          </>
        )}
      </Loaded>
    </section>
  )
}

/** The attributes that the rule is about: their values say why somebody is in it. */
function attributesIn(text: string | undefined, scope: 'user' | 'group'): { name: string; type: string }[] {
  const names = new Set<string>()
  if (text)
    eachLeaf(JSON.parse(text) as Condition, (leaf) => {
      if ('attribute' in leaf && (leaf.of ?? 'user') === scope) names.add(leaf.attribute)
    })
  return [...names].slice(0, 3).map((name) => ({ name, type: 'string' }))
}
