import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '../parts/button.tsx'
import { Facts } from '../parts/facts.tsx'
import { Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { Ladder } from './ladder.tsx'
import { type ContentReceipt, receiptQuery } from './queries.ts'
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
  const copy = () => void navigator.clipboard.writeText(location.href).then(() => toast('The link is copied.'))
  return (
    <>
      <Bar crumbs={[...crumbs]} current={data?.user.name ?? userId} />
      <Page
        title={data ? title(data) : 'Why'}
        sub={data && <p dir="auto">{`${reason(data)}.`}</p>}
        end={
          <Button icon="link" onClick={copy}>
            Copy link
          </Button>
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

function Runs({ runs }: { runs: ContentReceipt['runs'] }) {
  if (runs.length === 0) return <p className="t2">Not yet. Decisions that showed nothing are not stored.</p>
  return (
    <ul className="ppl runs">
      {runs.map(({ id, state, version, created_at, sentence, gates }) => (
        <li key={id}>
          <details>
            <summary>
              {state} {version !== null && <small>version {version}</small>} <Time at={created_at} plain />
            </summary>
            <p className="t2 s12">{sentence ?? 'Its receipt is not stored.'}</p>
            {gates.length > 0 && <Ladder gates={gates} isSmall />}
          </details>
        </li>
      ))}
    </ul>
  )
}

function title({ user, content, outcome, runs }: ContentReceipt): string {
  const who = user.name ?? user.id
  if (outcome === 'show') return `${who} sees ${content.name}`
  return runs.length > 0 ? `${who} saw ${content.name}` : `${who} does not see ${content.name}`
}

const reason = ({ sentence }: ContentReceipt) =>
  sentence.replace(/^Not shown: /, '').replace(/^./, (first) => first.toUpperCase())
