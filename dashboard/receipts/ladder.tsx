import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { gateWords, type Rung, rungsOf, STANDINGS } from './gates.ts'
import type { Gate } from './queries.ts'
import { RuleLines } from './rule-lines.tsx'
import '../styles/receipt.css'

/** The gates, in the order in which the server asks. The one that stops is open. */
export function Ladder({ gates, isSmall = false }: { gates: readonly Gate[]; isSmall?: boolean }) {
  return (
    <ol className={isSmall ? 'ladder mini' : 'ladder'}>
      {rungsOf(gates).map((rung) => (
        <RungOf key={rung.gate.gate} rung={rung} isSmall={isSmall} />
      ))}
    </ol>
  )
}

const CLASSES: Record<Rung['standing'], string> = {
  lets: '',
  stops: 'no',
  would: 'later',
  would_stop: 'later',
  browser: 'later',
}

const ICONS = { lets: 'check', stops: 'x', would: 'check', would_stop: 'x', browser: 'page' } as const

function RungOf({ rung: { gate, name, standing }, isSmall }: { rung: Rung; isSmall: boolean }) {
  const words = gateWords(gate)
  const hasLines = gate.leaves.length > 0 && !isSmall
  return (
    <li className={`gate2 ${CLASSES[standing]}`}>
      <span className="dotg">
        <Icon name={ICONS[standing]} />
      </span>
      <h3>
        {name}
        {!isSmall && (
          <span>
            {words}
            {gate.at && (
              <>
                {' '}
                (<Time at={gate.at} />)
              </>
            )}
          </span>
        )}
      </h3>
      <span className={standing === 'stops' ? 'tm stops' : 'tm'}>{STANDINGS[standing]}</span>
      {isSmall && (
        <div className="bd">{standing === 'would' || standing === 'browser' ? STANDINGS[standing] : words}</div>
      )}
      {hasLines && standing === 'stops' && (
        <div className="bd">
          <RuleLines leaves={gate.leaves} />
        </div>
      )}
      {hasLines && standing !== 'stops' && (
        <details>
          <summary>The lines</summary>
          <RuleLines leaves={gate.leaves} />
        </details>
      )}
    </li>
  )
}
