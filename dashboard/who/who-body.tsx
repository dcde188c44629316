import { Link } from '@tanstack/react-router'
import type { Condition } from '../../contract/conditions/condition.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { Builder } from '../conditions/builder.tsx'
import { type Catalogue, useCatalogue } from '../conditions/catalogue.ts'
import { CheckUser } from '../conditions/check-user.tsx'
import { CountCard } from '../conditions/count-card.tsx'
import { Samples } from '../conditions/samples.tsx'
import { useCount } from '../conditions/use-count.ts'
import { useEnvironment } from '../session/use-session.ts'
import type { EditDocument } from './edit-document.ts'
import { HowSection } from './how-section.tsx'
import { RuleSentence } from './rule-sentence.tsx'
import { WhenSection } from './when-section.tsx'
import '../styles/studio.css'

type Props = {
  contentId: string
  document: ContentDocument
  /** The rule of the version that is live. */
  live: ContentDocument | undefined
  quietSeconds: number
  /** Why nothing can be changed. */
  reason: string | undefined
  onEdit: EditDocument
  /** Rows that are not finished: how many in all, and how many of one builder. */
  unfinished: number
  onUnfinished: (builder: string, rows: number) => void
}

/** Whom it is shown to, on which pages, when and how: the sentence, the builder, and who matches now. */
export function WhoBody(props: Props) {
  const { contentId, document, live, quietSeconds, reason, onEdit, unfinished, onUnfinished } = props
  const { slug: environment } = useEnvironment()
  const catalogue = useCatalogue(environment)
  const counted = useCount(document.who, 'user')
  const before = useCount(live?.who, 'user')
  const seen = useCount(document.who && seenLately(document.who), 'user')
  const put = (field: 'who' | 'where') => (condition: Condition | undefined) => {
    onEdit(field === 'who' ? 'Change who sees it' : 'Change where it shows', ({ [field]: _, ...rest }) => ({
      ...(rest as ContentDocument),
      ...(condition ? { [field]: condition } : {}),
    }))
  }
  const shared = { catalogue, isReadOnly: reason !== undefined }
  return (
    <div className="page below-head">
      <RuleSentence document={document} quietSeconds={quietSeconds} />
      {reason && <p className="note mt-12">{reason}.</p>}
      {unfinished > 0 && (
        <p className="note mt-12" role="status">
          {unfinished === 1 ? 'One row is' : `${unfinished} rows are`} not finished: not counted, not saved, and it
          keeps from publishing.
        </p>
      )}
      <div className="g-who mt-28">
        <div className="min-w-0">
          <section className="wsec" aria-label="Who">
            <header>
              <h2>Who</h2>
              <span className="end">each line by itself</span>
            </header>
            <Builder
              {...shared}
              label="Who"
              place="who"
              condition={document.who}
              counted={counted.counted}
              isOld={counted.isOld}
              onChange={put('who')}
              onUnfinished={(rows) => onUnfinished('who', rows)}
            />
          </section>
          <WhereSection
            {...shared}
            condition={document.where}
            onChange={put('where')}
            onUnfinished={(rows) => onUnfinished('where', rows)}
          />
          <WhenSection document={document} quietSeconds={quietSeconds} reason={reason} onEdit={onEdit} />
          <HowSection document={document} reason={reason} onEdit={onEdit} />
        </div>
        <aside className="stick" aria-label="Who matches now">
          <CountCard live={counted} scope="user" before={live?.who ? before.counted?.count : undefined} seen={seen} />
          <Samples asked={counted.asked} scope="user" />
          <CheckUser
            condition={document.who}
            scope="user"
            more={(userId) => (
              <Link
                className="link"
                to="/$environment/content/$contentId/receipts/$userId"
                params={{ environment, contentId, userId }}
              >
                Why, in full
              </Link>
            )}
          />
        </aside>
      </div>
    </div>
  )
}

/** Those of them whom a page has seen within a week. */
const seenLately = (who: Condition): Condition => ({
  all: [who, { attribute: 'last_seen_at', is: 'less_than_ago', value: '7d' }],
})

type WhereProps = {
  catalogue: Catalogue
  isReadOnly: boolean
  condition: Condition | undefined
  onChange: (condition: Condition | undefined) => void
  onUnfinished: (rows: number) => void
}

function WhereSection(props: WhereProps) {
  return (
    <section className="wsec" aria-label="Where">
      <header>
        <h2>Where</h2>
        <span className="end">decided in the browser, never sent</span>
      </header>
      <Builder {...props} label="Where" place="page" />
    </section>
  )
}
