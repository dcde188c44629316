import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useContent } from '../content/use-draft.ts'
import { Button } from '../parts/button.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { present } from '../search.ts'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { useAction } from '../shell/use-action.ts'
import { exportTexts } from './export-texts.ts'
import { answersQuery, type QuestionResult } from './queries.ts'

export interface TextsProps {
  question: QuestionResult
  version: number
  days: number | undefined
  q: string
  onQ: (q: string) => void
}

/** The texts of the answers that are counted above them, newest first, with a search in them. */
export function Texts({ question, version, days, q, onQ }: TextsProps) {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const asked = {
    environment,
    content_id: detail.id,
    question: question.key,
    version,
    ...present({ days, q: q || undefined }),
  }
  const list = useInfiniteQuery(answersQuery(asked))
  const save = useAction(async () => await exportTexts(asked, `${detail.key}-${question.key}.csv`))
  const rows = list.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <div className="texts">
      <div className="texts-head">
        <SearchField label="Search the answers" placeholder="Text contains…" value={q} onChange={onQ} />
        <Button icon="download" busy={save.running && 'Exporting…'} onClick={() => void save.run()}>
          Export texts
        </Button>
      </div>
      {save.problem && (
        <p className="problem-text" role="alert">
          {save.problem}
        </p>
      )}
      <Loaded query={list} what="The answers" skeleton={<SkeletonRows rows={3} columns={1} />}>
        {() =>
          rows.length === 0 && !list.hasNextPage ? (
            <p className="t2">
              {q ? `No answer to version ${version} contains this.` : `No answers to version ${version} yet.`}
            </p>
          ) : (
            <div className="texts-list">
              <ul>
                {rows.map(({ id, user_id, user_name, text, score, at }) => (
                  <li key={id}>
                    <p className="break" dir="auto">
                      {text}
                    </p>
                    <p className="t2 s12">
                      <Link className="link" to="/$environment/users/$userId" params={{ environment, userId: user_id }}>
                        {user_name ?? user_id}
                      </Link>{' '}
                      {score !== null && <>· gave {score} </>}· <Time at={at} as="activity" />
                    </p>
                  </li>
                ))}
              </ul>
              <ListEnd shown={rows.length} list={list} byHand={q !== ''} />
            </div>
          )
        }
      </Loaded>
    </div>
  )
}
