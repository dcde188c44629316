import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Avatar } from '../parts/avatar.tsx'
import { CopyId } from '../parts/copy.tsx'
import { Bone } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Bar } from '../shell/bar.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { type ChangeAddress, useAddress } from '../shell/use-address.ts'
import { AttributesSection } from './attributes-section.tsx'
import { EventDrawer } from './event-drawer.tsx'
import { MembershipsSection } from './memberships-section.tsx'
import { ProfileActions } from './profile-actions.tsx'
import type { ProfileSearch } from './profile-search.ts'
import { ProfileTabs } from './profile-tabs.tsx'
import { type Collection, type Profile, profileQuery } from './queries.ts'
import { TimelineSection } from './timeline-section.tsx'
import { textOf, WORDS } from './words.ts'

type BodyProps = {
  kind: Collection
  profile: Profile
  search: ProfileSearch
  onSearch: ChangeAddress<ProfileSearch>
  tab: 'content' | undefined
}

const SegmentsOf = lazy(async () => ({ default: (await import('../segments/segments-of.tsx')).SegmentsOf }))
const ContentOfUser = lazy(async () => ({ default: (await import('../receipts/content-of-user.tsx')).ContentOfUser }))

/** A user or a group. */
export function ProfilePage({ kind, id, tab }: { kind: Collection; id: string; tab?: 'content' }) {
  const [search, onSearch] = useAddress<ProfileSearch>()
  const { slug } = useEnvironment()
  const query = useQuery(profileQuery(kind, slug, id))
  const list = { to: `/$environment/${kind}`, params: { environment: slug } } as LinkProps
  return (
    <>
      <Bar crumbs={[{ label: WORDS[kind].title, link: list }]} current={textOf(query.data, 'name') ?? id} />
      <div className={search.open && !tab ? 'with-drawer' : undefined}>
        <div className="page">
          {query.data === undefined && <h1 className="sr">{id}</h1>}
          <Loaded query={query} what={`The ${WORDS[kind].one}`} skeleton={<ProfileSkeleton />}>
            {(profile) => <ProfileBody kind={kind} profile={profile} search={search} onSearch={onSearch} tab={tab} />}
          </Loaded>
        </div>
        {search.open && !tab && (
          <EventDrawer eventId={search.open} onClose={() => onSearch({ ...search, open: undefined })} />
        )}
      </div>
    </>
  )
}

function ProfileBody({ kind, profile, search, onSearch, tab }: BodyProps) {
  return (
    <>
      <ProfileHead kind={kind} profile={profile} />
      {kind === 'users' && <ProfileTabs userId={profile.id} />}
      {tab === 'content' ? (
        <Suspense fallback={null}>
          <ContentOfUser userId={profile.id} />
        </Suspense>
      ) : (
        <Overview kind={kind} profile={profile} search={search} onSearch={onSearch} />
      )}
    </>
  )
}

function Overview({ kind, profile, search, onSearch }: Omit<BodyProps, 'tab'>) {
  return (
    <div className="grid g-user">
      <div>
        <AttributesSection
          kind={kind}
          profile={profile}
          json={search.as === 'json'}
          onJson={(json) => onSearch({ ...search, as: json ? 'json' : undefined })}
        />
        <MembershipsSection kind={kind} profile={profile} />
        <Suspense fallback={null}>
          <SegmentsOf scope={kind === 'users' ? 'user' : 'group'} id={profile.id} />
        </Suspense>
      </div>
      <TimelineSection
        kind={kind}
        id={profile.id}
        show={search.show ?? 'all'}
        onShow={(show) => onSearch({ ...search, show: show === 'all' ? undefined : show })}
        onOpen={(open) => onSearch({ ...search, open })}
      />
    </div>
  )
}

function ProfileHead({ kind, profile }: { kind: Collection; profile: Profile }) {
  const name = textOf(profile, 'name')
  const email = textOf(profile, 'email')
  return (
    <div className="who-head">
      <Avatar name={name} large square={kind === 'groups'} />
      <div className="min-w-0">
        <h1 className={name ? 'title' : 'title t3'} dir="auto">
          {name ?? 'No name'}
        </h1>
        <p className="ids">
          <CopyId value={profile.id} />
          <span className="sep" />
          {email && (
            <>
              <span className="clip" dir="auto">
                {email}
              </span>
              <span className="sep" />
            </>
          )}
          <span>
            created <Time at={profile.created_at} />
          </span>
        </p>
      </div>
      <ProfileActions kind={kind} profile={profile} />
    </div>
  )
}

function ProfileSkeleton() {
  return (
    <>
      <div className="who-head">
        <span className="ava lg" />
        <Bone width={220} height={16} />
      </div>
      <ul className="kv">
        {[84, 54, 108, 36, 92, 70].map((width) => (
          <li key={width}>
            <span className="gly" />
            <Bone width={width} />
            <Bone width={width * 1.7} />
            <Bone width={32} />
          </li>
        ))}
      </ul>
    </>
  )
}
