import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangeList } from '../content/change-list.tsx'
import { type Version, versionQuery } from '../content/queries.ts'
import { useContent } from '../content/use-draft.ts'
import { Button } from '../parts/button.tsx'
import { CodeBox } from '../parts/code-box.tsx'
import { Select } from '../parts/select.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'

type Props = {
  number: number
  /** The version that it is compared with: the one before, unless given. */
  against: number | undefined
  numbers: number[]
  onAgainst: (number: number) => void
}

/** One version: what differs from another, in the words of `usher content diff`, or its file. */
export function VersionPanel({ number, against, numbers, onAgainst }: Props) {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const query = useQuery(versionQuery(environment, detail.id, number, against))
  const [shows, setShows] = useState<'changes' | 'file'>('changes')
  const others = numbers.filter((one) => one !== number)
  const shown = query.data?.against
  return (
    <section aria-label={`Version ${number}`} className="min-w-0">
      <div className="sec">
        <h2 className="h2">Version {number}</h2>
        <span className="end btns">
          {shows === 'changes' && others.length > 0 && shown && (
            <Select
              label="Compared with"
              options={others.map((one) => ({ value: String(one), label: `Against version ${one}` }))}
              value={String(shown)}
              onChange={(one) => onAgainst(Number(one))}
            />
          )}
          <Button small aria-pressed={shows === 'file'} onClick={() => setShows(shows === 'file' ? 'changes' : 'file')}>
            {shows === 'file' ? 'What changed' : 'The file'}
          </Button>
          <Link
            className="btn sm"
            to="/$environment/content/$contentId/steps"
            params={{ environment, contentId: detail.id }}
            search={{ at: number }}
          >
            Look at it
          </Link>
        </span>
      </div>
      <Loaded query={query} what="The version" skeleton={<SkeletonRows rows={4} columns={2} />}>
        {(version) =>
          shows === 'file' ? <File name={`${detail.key}.json`} version={version} /> : <Changes {...version} />
        }
      </Loaded>
    </section>
  )
}

const Changes = ({ changes, against }: Version) =>
  changes.length === 0 ? (
    <p className="t2">Nothing differs from version {against}.</p>
  ) : (
    <ChangeList changes={changes} />
  )

function File({ name, version: { document } }: { name: string; version: Version }) {
  const text = JSON.stringify(document, null, 2)
  return (
    <CodeBox title={name} copy={{ value: text, label: 'Copy the document' }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys */}
      <pre tabIndex={0}>{text}</pre>
    </CodeBox>
  )
}
