import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { exact } from '../format/time.ts'
import { useNow } from '../parts/now.ts'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { VerdictIcon } from '../parts/verdict-icon.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { useAddress } from '../shell/use-address.ts'
import { Step } from '../start/step.tsx'
import { IdentityStep } from './identity-step.tsx'
import { InstallSide } from './install-side.tsx'
import { LackingDrawer } from './lacking-drawer.tsx'
import { type Installation, installationQuery } from './queries.ts'
import { Received } from './received.tsx'
import { identitySnippets, pageSnippets } from './snippets.ts'
import { TabbedCode } from './tabbed-code.tsx'
import { verdictOf } from './verdict.ts'
import '../styles/studio.css'
import '../styles/install.css'

/** The script on the customer's pages: whether it is seen, and how to put it there. */
export function InstallPage() {
  const { slug } = useEnvironment()
  const query = useQuery(installationQuery(slug))
  const now = useNow(15_000)
  const [{ show }, setSearch] = useAddress<{ show?: 'lacking' | undefined }>()
  const { data } = query
  const verdict = data && verdictOf(data, now, data.seen_at ? exact(new Date(data.seen_at)) : '')
  return (
    <>
      <Bar current="Install" />
      <div className={show ? 'with-drawer' : ''}>
        <div className="page wide">
          <div className={`verdict ${verdict?.tone ?? 'mute'}`}>
            {verdict && <VerdictIcon level={verdict.tone} />}
            <div className="min-w-0">
              <h1 className="title" tabIndex={-1}>
                {verdict?.title ?? 'Install'}
              </h1>
              <p className="sub">
                {verdict?.sub ?? 'The script that shows content in your application.'}{' '}
                {verdict?.isInLive && (
                  <Link className="link" to="/$environment/live" params={{ environment: slug }} search={{ q: '/sdk/' }}>
                    See them in Live
                  </Link>
                )}
              </p>
            </div>
          </div>
          <Loaded query={query} what="The installation" skeleton={<SkeletonRows rows={8} columns={2} />}>
            {(installation) => <Body installation={installation} />}
          </Loaded>
        </div>
        {show && <LackingDrawer onClose={() => setSearch({})} />}
      </div>
    </>
  )
}

function Body({ installation }: { installation: Installation }) {
  const { url, tokens, seen_at, signed, unsigned, wrong, identity, last_identified } = installation
  const isSeen = seen_at !== null
  const isIdentified = signed + unsigned + wrong > 0
  return (
    <div className="g-inst">
      <ol className="steps">
        <Step number={1} title="Put it on the page" done={isSeen} now={!isSeen}>
          <p>A loader of 2 KB. The rest comes when there is something to show; nothing of it runs before your page.</p>
          <TabbedCode label="How the page is built" snippets={pageSnippets(url, tokens[0]?.token ?? 'pk_…')} />
          {!isSeen && (
            <p className="t2 mt-12" role="status">
              Waiting for the first page…
            </p>
          )}
        </Step>
        <Step number={2} title="Say who it is" done={isIdentified} now={isSeen && !isIdentified} open>
          <p>
            After sign-in. The signature proves that your server said so; without it a visitor could claim to be
            somebody else.
          </p>
          <TabbedCode label="Where it is said" snippets={identitySnippets} />
          {last_identified && <Received last={last_identified} />}
        </Step>
        <Step number={3} title="Require signatures" done={identity === 'required'} now={isIdentified} open>
          <p>Then an identification without one is refused, and a copied token is worth nothing.</p>
          <IdentityStep installation={installation} />
        </Step>
      </ol>
      <InstallSide installation={installation} />
    </div>
  )
}
