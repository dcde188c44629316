import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useContent } from '../content/use-draft.ts'
import { count, counted, percent } from '../format/number.ts'
import { ListEnd } from '../parts/list-end.tsx'
import { Panel } from '../parts/panel.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { FigureLink } from './figure-link.tsx'
import { answersQuery, type QuestionResult, type Results } from './queries.ts'
import { npsOf, npsWords } from './words.ts'

type Props = { results: Results; q: string; onQ: (q: string) => void }

/** What users answered, two questions beside each other. */
export function Answers({ results, q, onQ }: Props) {
  return (
    <div className="grid g-1-1">
      {results.questions.map((question) => (
        <Panel
          className="answer"
          key={question.key}
          title={question.label || question.key}
          end={
            <FigureLink filter={{ of: 'answered', question: question.key }}>
              {counted(question.answers, 'answer')}
            </FigureLink>
          }
        >
          {question.kind === 'text' ? (
            <Texts question={question} q={q} onQ={onQ} />
          ) : question.kind === 'choice' ? (
            <Choices question={question} />
          ) : (
            <Scale question={question} />
          )}
        </Panel>
      ))}
    </div>
  )
}

function Scale({ question: { key, kind, counts, answers } }: { question: QuestionResult }) {
  const first = kind === 'nps' ? 0 : 1
  const highest = Math.max(1, ...counts)
  const { shares } = npsOf(counts)
  const sum = counts.reduce((all, one, index) => all + one * (index + first), 0)
  return (
    <div className="nps">
      <div>
        <p className="score">{kind === 'nps' ? npsWords({ counts, answers }) : mean(sum, answers)}</p>
        {kind === 'nps' && answers > 0 && (
          <p className="t2 s12">
            {shares[0].toFixed(1)} % promote (9, 10)
            <br />
            {shares[1].toFixed(1)} % are passive (7, 8)
            <br />
            {shares[2].toFixed(1)} % detract (0 to 6)
          </p>
        )}
      </div>
      <ol className="nps-bars" aria-label="Answers by number">
        {counts.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the number is the key
          <li key={index} className={kind === 'nps' ? toneOf(index) : 'p'}>
            <FigureLink filter={{ of: 'answered', question: key, value: String(index + first) }}>
              {count(one)}
            </FigureLink>
            <i style={{ height: `${(84 * one) / highest}px` }} aria-hidden="true" />
            <b>{index + first}</b>
          </li>
        ))}
      </ol>
    </div>
  )
}

const toneOf = (score: number) => (score <= 6 ? 'd' : score <= 8 ? 'm' : 'p')
const mean = (sum: number, answers: number) => (answers === 0 ? '–' : (sum / answers).toFixed(1))

function Choices({ question: { key, options, answers } }: { question: QuestionResult }) {
  if (options.length === 0) return <p className="t2 pad">No answers yet.</p>
  return (
    <ul className="choices">
      {options.map(({ value, answers: times }) => (
        <li key={value}>
          <span className="clip" dir="auto">
            {value}
          </span>
          <FigureLink className="n" filter={{ of: 'answered', question: key, value }}>
            {count(times)}
          </FigureLink>
          <span className="n t2">{percent(times, answers)}</span>
          <span className="meter" aria-hidden="true">
            <i style={{ width: `${(100 * times) / answers}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Texts({ question, q, onQ }: { question: QuestionResult; q: string; onQ: (q: string) => void }) {
  const { slug: environment } = useEnvironment()
  const { detail } = useContent()
  const list = useInfiniteQuery(answersQuery(environment, detail.id, question.key, q))
  const rows = list.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <div className="texts">
      <SearchField label="Search the answers" placeholder="Text contains…" value={q} onChange={onQ} />
      <Loaded query={list} what="The answers" skeleton={<SkeletonRows rows={3} columns={1} />}>
        {() =>
          rows.length === 0 ? (
            <p className="t2">{q ? 'No answer contains this.' : 'No answers yet.'}</p>
          ) : (
            <div className="texts-list">
              <ul>
                {rows.map(({ id, user_id, user_name, text, at }) => (
                  <li key={id}>
                    <p className="break" dir="auto">
                      {text}
                    </p>
                    <p className="t2 s12">
                      <Link className="link" to="/$environment/users/$userId" params={{ environment, userId: user_id }}>
                        {user_name ?? user_id}
                      </Link>{' '}
                      · <Time at={at} as="activity" />
                    </p>
                  </li>
                ))}
              </ul>
              <ListEnd shown={rows.length} list={list} />
            </div>
          )
        }
      </Loaded>
    </div>
  )
}
