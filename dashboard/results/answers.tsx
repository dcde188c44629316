import { count, counted } from '../format/number.ts'
import { LEAST_RUNS } from '../format/shares.ts'
import { Panel } from '../parts/panel.tsx'
import { FigureLink } from './figure-link.tsx'
import type { QuestionResult, Results } from './queries.ts'
import { Share } from './share.tsx'
import { Texts, type TextsProps } from './texts.tsx'
import { npsOf, npsWords } from './words.ts'

type Props = { results: Results; days: number | undefined; q: string; onQ: (q: string) => void }

/** What users answered, two questions beside each other. */
export function Answers({ results, days, q, onQ }: Props) {
  const texts = { version: results.number, days, q, onQ }
  return (
    <div className="grid g-1-1">
      {results.questions.map((question) => (
        <Panel
          className="answer"
          key={question.key}
          title={question.label || question.key}
          end={
            <FigureLink filter={{ of: 'answered', question: question.key }}>
              {counted(question.answers, 'answer')} to version {results.number}
            </FigureLink>
          }
        >
          {question.kind === 'text' ? (
            <Texts question={question} {...texts} />
          ) : question.kind === 'choice' ? (
            <Choices question={question} texts={texts} />
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
        {kind === 'nps' && answers < LEAST_RUNS && (
          <p className="t2 s12">Too few to say. A score says something from {LEAST_RUNS} answers on.</p>
        )}
        {kind === 'nps' && answers >= LEAST_RUNS && (
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

function Choices({ question, texts }: { question: QuestionResult; texts: Omit<TextsProps, 'question'> }) {
  const { key, options, answers, other } = question
  const isSaid = answers >= LEAST_RUNS
  if (answers === 0) return <p className="t2 pad">No answers yet.</p>
  return (
    <>
      <ul className="choices">
        {options.map(({ value, answers: times }) => (
          <Share key={value} label={value} times={times} all={answers} isSaid={isSaid}>
            <FigureLink className="n" filter={{ of: 'answered', question: key, value }}>
              {count(times)}
            </FigureLink>
          </Share>
        ))}
        {other > 0 && (
          <Share label="Something else" times={other} all={answers} isSaid={isSaid}>
            <span className="n">{count(other)}</span>
          </Share>
        )}
      </ul>
      {other > 0 && <Texts question={question} {...texts} />}
    </>
  )
}
