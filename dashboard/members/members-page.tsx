import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Avatar } from '../parts/avatar.tsx'
import { Button } from '../parts/button.tsx'
import { Absent } from '../parts/facts.tsx'
import { Page } from '../parts/page.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Table, type TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { useReason, useSession } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberActions } from './member-actions.tsx'
import { type Member, membersQuery } from './queries.ts'
import { RoleSelect } from './role-select.tsx'

export function MembersPage() {
  const query = useQuery(membersQuery)
  const [inviting, setInviting] = useState(false)
  const reason = useReason('createInvitation')
  const { member: me } = useSession()
  const columns = useMemo(() => memberColumns(me.id), [me.id])
  return (
    <>
      <Bar current="Members" />
      <Page
        wide
        title="Members"
        sub={
          <p>
            They sign in to this dashboard. A viewer reads, a member writes data, an admin also manages keys, webhooks
            and members.
          </p>
        }
        end={
          <Button kind="primary" icon="plus" reason={reason} onClick={() => setInviting(true)}>
            Invite member
          </Button>
        }
      >
        <Loaded query={query} what="The list" skeleton={<SkeletonRows rows={4} columns={4} />}>
          {({ data, invitations }) => (
            <>
              <Table label="Members" rows={data} columns={columns} keyOf={({ id }) => id} />
              {invitations.length > 0 && <Invitations invitations={invitations} />}
            </>
          )}
        </Loaded>
      </Page>
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  )
}

const memberColumns = (me: string): TableColumn<Member>[] => [
  {
    id: 'name',
    head: 'Name',
    width: 'broad',
    cell: (member) => (
      <span className="who">
        <Avatar name={member.name} />
        <span className="clip">
          <b dir="auto">
            {member.name} {member.id === me && <span className="tag">you</span>}
          </b>
          <span className="address" dir="auto">
            {member.email}
          </span>
        </span>
      </span>
    ),
  },
  { id: 'role', head: 'Role', cell: (member) => <RoleSelect member={member} /> },
  {
    id: 'active',
    head: 'Last active',
    cell: (member) => (member.last_active_at ? <Time at={member.last_active_at} as="activity" /> : <Absent />),
  },
  { id: 'since', head: 'Member since', wide: true, cell: (member) => <Time at={member.created_at} as="day" /> },
  { id: 'act', head: 'Actions', isHeadHidden: true, align: 'end', cell: (member) => <MemberActions member={member} /> },
]
