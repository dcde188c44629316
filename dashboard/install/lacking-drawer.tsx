import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { counted, sentence } from '../format/number.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { type LackingUser, lackingQuery } from './queries.ts'
import { proofWords, userWords } from './verdict.ts'

/** The users behind the figure of identifications without a good signature, newest first. */
export function LackingDrawer({ onClose }: { onClose: () => void }) {
  const { slug } = useEnvironment()
  const query = useQuery(lackingQuery(slug))
  return (
    <Drawer
      label="Users without a good signature"
      title={<b className="clip">Without a good signature since yesterday</b>}
      onClose={onClose}
    >
      <Loaded query={query} what="The users" skeleton={<SkeletonRows rows={6} columns={1} />}>
        {({ users, people }) => (
          <>
            <p className="t2">
              {sentence(userWords(people))}
              {people.is_exact ? '.' : `; ${counted(users.length, 'user', 'users')} of them are listed.`} Deleted users,
              and ids that are not a user, are not listed.
            </p>
            <ul className="unsigned">
              {users.map((user) => (
                <Lacking key={user.id} user={user} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Drawer>
  )
}

function Lacking({ user: { id, name, proof, origin, last_at } }: { user: LackingUser }) {
  const { slug: environment } = useEnvironment()
  return (
    <li>
      <Avatar name={name ?? id} />
      <span className="min-w-0">
        <Link className="link clip" to="/$environment/users/$userId" params={{ environment, userId: id }}>
          {name ?? id}
        </Link>
        <small className="t2">
          {proofWords[proof]}
          {origin && ` · ${origin}`} · <Time plain at={last_at} as="activity" />
        </small>
      </span>
    </li>
  )
}
