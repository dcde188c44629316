import { planNames, plans } from '../../contract/plans.ts'
import { call } from '../api.ts'
import { count } from '../format/number.ts'
import { Select } from '../parts/select.tsx'
import { toast } from '../parts/toast.tsx'
import { queryClient } from '../query-client.ts'
import { sessionQuery } from '../session/queries.ts'
import { useReason } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import { type UsageData, usageQuery } from './queries.ts'

const OPTIONS = planNames.map((value) => ({
  value,
  label: value,
  note: noteOf(plans[value]),
}))

export function PlanSelect({ plan }: { plan: UsageData['plan'] }) {
  const reason = useReason('updateAccount')
  const { run, problem } = useAction(async (next: UsageData['plan']) => {
    queryClient.setQueryData(sessionQuery.queryKey, await call('updateAccount', { plan: next }))
    await queryClient.invalidateQueries({ queryKey: usageQuery.queryKey })
    toast(`The plan is ${next} now.`)
  })
  return (
    <div title={reason}>
      <Select
        label="Plan"
        value={plan}
        options={OPTIONS}
        disabled={reason !== undefined}
        onChange={(next) => void run(next)}
      />
      {problem && (
        <small className="problem-text" role="alert">
          {problem}
        </small>
      )}
    </div>
  )
}

function noteOf({ requestsPerMinute, groups }: { requestsPerMinute: number | null; groups: boolean }): string {
  const rate = requestsPerMinute === null ? 'no limit' : `${count(requestsPerMinute)} per minute`
  return groups ? rate : `${rate}, no groups`
}
