import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '../parts/button.tsx'
import { useCopy } from '../parts/copy.tsx'
import { Facts } from '../parts/facts.tsx'
import { Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { useEnvironment, useSession } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { toldWords } from './gates.ts'
import { Ladder } from './ladder.tsx'
import { type ContentReceipt, receiptQuery } from './queries.ts'
import { IN_IT } from './run-words.ts'
import { Runs } from './runs.tsx'
import { ShowAgain } from './show-again.tsx'
import '../styles/studio.css'

/** Why one user sees a content, or does not: the answer first, then the gates. */
export function ReceiptPage({ contentId, userId }: { contentId: string; userId: string }) {
  const { slug: environment } = useEnvironment()
  const query = useQuery(receiptQuery(environment, contentId, userId))
  const { data } = query
  const crumbs = [
    { label: 'Content', link: { to: '/$environment/content', params: { environment } } },
    {
      label: data?.content.name ?? 'Content',
      link: { to: '/$environment/content/$contentId', params: { environment, contentId } },
    },
  ] as const
  const { api_url } = useSession()
  const curl = useCopy(() => (data ? curlOf(api_url, data) : ''))
  const copy = () => void navigator.clipboard.writeText(location.href).then(() => toast('The link is copied.'))
  return (
    <>
      <Bar crumbs={[...crumbs]} current={data?.user.name ?? userId} />
      <Page
        title={data ? title(data) : 'Why'}
        sub={data && <p dir="auto">{`${isOpen(data) ? IN_IT : toldWords(data.sentence)}.`}</p>}
        end={
          <>
            {data && data.runs.length > 0 && <ShowAgain content={data.content} user={data.user} />}
            <Button icon={curl.copied ? 'check' : 'terminal'} disabled={!data} onClick={curl.copy}>
              {curl.copied ? 'Copied' : 'Copy as curl'}
            </Button>
            <Button icon="link" onClick={copy}>
              Copy link
            </Button>
          </>
        }
      >
        <Loaded query={query} what="The receipt" skeleton={<SkeletonRows rows={8} columns={2} />}>
          {(receipt) => <Body receipt={receipt} />}
        </Loaded>
      </Page>
    </>
  )
}

function Body({ receipt }: { receipt: ContentReceipt }) {
  const { slug: environment } = useEnvironment()
  const { user, group_id, at, took_ms, content, runs } = receipt
  return (
    <div className="g-rec">
      <Ladder gates={receipt.gates} />
      <aside className="stick" aria-label="About this answer">
        <div>
          <div className="sec">
            <h2 className="h2">Asked</h2>
          </div>
          <Facts>
            {[
              [
                'User',
                <Link
                  key="user"
                  className="link"
                  to="/$environment/users/$userId"
                  params={{ environment, userId: user.id }}
                >
                  {user.name ?? user.id}
                </Link>,
              ],
              ...(group_id === null
                ? []
                : [
                    [
                      'Group',
                      <Link
                        key="group"
                        className="link"
                        to="/$environment/groups/$groupId"
                        params={{ environment, groupId: group_id }}
                      >
                        {group_id}
                      </Link>,
                    ] as [string, React.ReactNode],
                  ]),
              ['Slot', content.type],
              ['At', <Time key="at" at={at} as="seconds" />],
              ['Took', `${took_ms} ms`],
            ]}
          </Facts>
        </div>
        <div>
          <div className="sec">
            <h2 className="h2">Shown before</h2>
          </div>
          <Runs runs={runs} />
        </div>
      </aside>
    </div>
  )
}

const isOpen = ({ runs: [newest] }: ContentReceipt) => newest?.state === 'active' && newest.ended_at === null

function title(receipt: ContentReceipt): string {
  const { user, content, outcome, runs } = receipt
  const who = user.name ?? user.id
  if (outcome === 'show' || isOpen(receipt)) return `${who} sees ${content.name}`
  return runs.length > 0 ? `${who} saw ${content.name}` : `${who} does not see ${content.name}`
}

/** The same question to the API. The key is not known here: the one place that showed it was its creation. */
function curlOf(api: string, { user, content, group_id }: ContentReceipt): string {
  const body = { user_id: user.id, ...(group_id === null ? {} : { group_id }), content: content.key, receipts: true }
  const data = JSON.stringify(body).replaceAll("'", "'\\''")
  return `curl '${api}/decisions' \\\n  -H "Authorization: Bearer $USHER_API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${data}'`
}
