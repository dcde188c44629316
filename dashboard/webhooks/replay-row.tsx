import { call } from '../api.ts'
import { count } from '../format/number.ts'
import { Button } from '../parts/button.tsx'
import { Meter } from '../parts/meter.tsx'
import { Time } from '../parts/time.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type Replay, replaysQuery } from './queries.ts'

const WORDS: Record<Replay['state'], string> = {
  running: 'Running',
  finished: 'Finished',
  cancelled: 'Cancelled',
  stopped: 'Stopped by a restart of the server',
}

export function ReplayRow({ endpointId, replay }: { endpointId: string; replay: Replay }) {
  const { slug } = useEnvironment()
  const reason = useReason('cancelReplay')
  const { run, running, problem } = useAction(async () => {
    await call('cancelReplay', { environment: slug, endpoint_id: endpointId, replay_id: replay.id })
    await queryClient.invalidateQueries({ queryKey: replaysQuery(slug, endpointId).queryKey })
  })
  const share = replay.total === 0 ? 1 : Math.min(1, replay.done / replay.total)
  return (
    <li>
      <p className="row">
        <span>
          {WORDS[replay.state]}, {count(replay.done)} of {count(replay.total)}
        </span>
        {replay.state === 'running' && (
          <Button small reason={reason} busy={running && 'Cancelling…'} onClick={() => void run()}>
            Cancel
          </Button>
        )}
      </p>
      {replay.state === 'running' && <Meter label="Replay" share={share} />}
      <p className="t3">
        <Time at={replay.since} /> to <Time at={replay.until} />
        {replay.started_by && `, by ${replay.started_by}`}
      </p>
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
    </li>
  )
}
