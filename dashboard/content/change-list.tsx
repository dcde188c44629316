import type { Difference } from '../../contract/content/differences.ts'

const WORDS = { '+': 'Added', '~': 'Changed', '-': 'Removed' } as const
const TONES = { '+': 'sp', '~': 'sc', '-': 'sm' } as const

/** What differs between two documents, in the words of `usher content diff`: the old struck, the new after it. */
export function ChangeList({ changes }: { changes: readonly Difference[] }) {
  return (
    <ul className="chg">
      {changes.map(({ sign, place, words, pair }) => (
        <li key={sign + place + words}>
          <span className={`mono sign ${TONES[sign]}`}>
            <span aria-hidden="true">{sign}</span>
            <span className="sr">{WORDS[sign]}</span>
          </span>
          <span className="t2 break">{place}</span>
          <span className="break">
            {pair ? (
              <>
                <s>{pair.before}</s> <b>{pair.after}</b>
              </>
            ) : (
              words
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
