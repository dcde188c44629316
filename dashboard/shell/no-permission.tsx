import { useQuery } from '@tanstack/react-query'
import { membersQuery } from '../members/queries.ts'
import { Empty } from '../parts/blank.tsx'
import { atLeast } from '../session/use-session.ts'

/** Shown for a page that needs a higher role: who can change it. */
export function NoPermission({ message }: { message: string }) {
  const { data } = useQuery(membersQuery)
  const names = data?.data.filter(({ role }) => atLeast(role, 'admin')).map(({ name }) => name)
  return (
    <Empty title="Your role does not reach this page">
      {message} {names && names.length > 0 && `${names.slice(0, 5).join(', ')} can change your role.`}
    </Empty>
  )
}
