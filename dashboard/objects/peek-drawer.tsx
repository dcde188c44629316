import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { CopyId } from '../parts/copy.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { Facts } from '../parts/facts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { type Collection, type Profile, profileQuery } from './queries.ts'
import { TypeGlyph } from './type-glyph.tsx'
import { Value } from './value.tsx'
import { textOf, WORDS } from './words.ts'

type Props = { kind: Collection; id: string; onClose: () => void; onMove: (step: 1 | -1) => void }

/** A user or a group beside its list: name and attributes. */
export function PeekDrawer({ kind, id, onClose, onMove }: Props) {
  const { slug } = useEnvironment()
  const query = useQuery(profileQuery(kind, slug, id))
  return (
    <Drawer
      label={kind === 'users' ? 'User' : 'Group'}
      title={
        <b className="clip" dir="auto">
          {textOf(query.data, 'name') ?? id}
        </b>
      }
      onClose={onClose}
      onMove={onMove}
      page={
        <Link {...pageOf(kind, slug, id)} className="icon-btn" aria-label="Open as a page">
          <Icon name="ext" />
        </Link>
      }
    >
      <Loaded query={query} what={`The ${WORDS[kind].one}`} skeleton={<Bone width="80%" />}>
        {(profile) => <Peek profile={profile} />}
      </Loaded>
    </Drawer>
  )
}

function Peek({ profile }: { profile: Profile }) {
  return (
    <>
      <Facts>
        {[
          ['Id', <CopyId key="id" value={profile.id} />],
          ['Created', <Time key="created" at={profile.created_at} />],
        ]}
      </Facts>
      <ul className="kv peek">
        {profile.attributes.map(({ name, value, data_type }) => (
          <li key={name}>
            <TypeGlyph type={data_type} />
            <span className="k mono clip" dir="auto">
              {name}
            </span>
            <span className="v clip">
              <Value value={value} type={data_type} plain />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function pageOf(kind: Collection, environment: string, id: string): LinkProps {
  return kind === 'users'
    ? ({ to: '/$environment/users/$userId', params: { environment, userId: id } } as LinkProps)
    : ({ to: '/$environment/groups/$groupId', params: { environment, groupId: id } } as LinkProps)
}
