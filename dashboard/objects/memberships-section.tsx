import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bounded } from '../format/number.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Button } from '../parts/button.tsx'
import { Section } from '../parts/panel.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment, useReason } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { JoinDialog } from './join-dialog.tsx'
import { LeaveButton } from './leave-button.tsx'
import { type Collection, type Membership, membershipsQuery, type Profile } from './queries.ts'
import { WORDS } from './words.ts'

const TAGS = 3

/** The groups of a user, or the members of a group. */
export function MembershipsSection({ kind, profile }: { kind: Collection; profile: Profile }) {
  const { slug } = useEnvironment()
  const list = useInfiniteQuery(membershipsQuery(kind, slug, profile.id))
  const reason = useReason('setMembership')
  const [adding, setAdding] = useState(false)
  return (
    <Section
      title={WORDS[kind].other}
      count={bounded(profile.memberships)}
      end={
        <Button small icon="plus" reason={reason} onClick={() => setAdding(true)}>
          Add
        </Button>
      }
    >
      {adding && <JoinDialog kind={kind} id={profile.id} onClose={() => setAdding(false)} />}
      <Loaded query={list} what={WORDS[kind].other} skeleton={<Bone width="60%" />}>
        {({ pages }) => (
          <ul className="kv members">
            {pages
              .flatMap((page) => page.data)
              .map((row) => (
                <Row key={row.id} kind={kind} environment={slug} owner={profile.id} row={row} />
              ))}
            {profile.memberships.count === 0 && (
              <li className="none t3">{kind === 'users' ? 'In no group.' : 'No members.'}</li>
            )}
          </ul>
        )}
      </Loaded>
      {list.hasNextPage && (
        <Button small busy={list.isFetchingNextPage && 'Loading…'} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Section>
  )
}

type RowProps = { kind: Collection; environment: string; owner: string; row: Membership }

function Row({ kind, environment, owner, row }: RowProps) {
  const attributes = Object.entries(row.attributes)
  const label = <span dir="auto">{row.name ?? row.id}</span>
  return (
    <li>
      <Avatar name={row.name} square={kind === 'users'} />
      {kind === 'users' ? (
        <Link className="clip in-row-link" to="/$environment/groups/$groupId" params={{ environment, groupId: row.id }}>
          {label}
        </Link>
      ) : (
        <Link className="clip in-row-link" to="/$environment/users/$userId" params={{ environment, userId: row.id }}>
          {label}
        </Link>
      )}
      <span className="v clip tags">
        {attributes.slice(0, TAGS).map(([name, value]) => (
          <span key={name} className="tag" dir="auto">
            {name} {String(value)}
          </span>
        ))}
        {attributes.length > TAGS && <span className="t3">+{attributes.length - TAGS}</span>}
      </span>
      <span className="since">
        <Time at={row.created_at} as="day" plain />
        <LeaveButton kind={kind} id={owner} other={row} />
      </span>
    </li>
  )
}
