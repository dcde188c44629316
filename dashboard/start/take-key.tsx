import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../api.ts'
import { keysQuery } from '../keys/queries.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'

/** Creates a key, so that the snippets below contain it. */
export function TakeKey({ made, onMade }: { made: string | undefined; onMade: (key: string) => void }) {
  const { slug } = useEnvironment()
  const reason = useReason('createKey')
  const { data } = useQuery(keysQuery(slug))
  const working = data?.data.filter(({ revoked_at }) => revoked_at === null).length ?? 0
  const { run, running, problem } = useAction(async () => {
    const { key } = await call('createKey', { environment: slug, name: 'First key' })
    onMade(key)
    await queryClient.invalidateQueries({ queryKey: keysQuery(slug).queryKey })
  })
  if (made) {
    return (
      <>
        <p>It was made just now and is shown this once. Keep it where your back end keeps its secrets.</p>
        <div className="keyrow">
          <code>{made}</code>
          <span className="end">
            <CopyButton value={made} />
          </span>
        </div>
      </>
    )
  }
  return (
    <>
      <p>
        {working > 0 ? (
          <>
            There {working === 1 ? 'is a key' : `are ${working} keys`} already (see{' '}
            <Link className="link" to="/$environment/keys" params={{ environment: slug }}>
              API keys
            </Link>
            ). A key is shown only when it is made, so make one for these steps.
          </>
        ) : (
          'Your back end sends it with every request. It is shown once.'
        )}
      </p>
      <Button kind="primary" icon="plus" reason={reason} busy={running && 'Making the key…'} onClick={() => void run()}>
        Make a key
      </Button>
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
