import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { gateWords, type Rung, rungsOf, STANDINGS } from './gates.ts'
import type { Gate } from './queries.ts'
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
          <Lines leaves={gate.leaves} />
        </div>
      )}
      {hasLines && standing !== 'stops' && (
        <details>
          <summary>The lines</summary>
          <Lines leaves={gate.leaves} />
        </details>
      )}
    </li>
  )
}

/** Line by line. What stands in None of these is told in the negative, so that a tick is always good for showing. */
function Lines({ leaves }: { leaves: Gate['leaves'] }) {
  return (
    <ul className="vals">
      {leaves.map(({ path, met, needed, sentence }) => (
        <li key={path} className={met === true ? '' : 'no'}>
          <Icon name={met === true ? 'check' : met === null ? 'page' : 'x'} />
          <span dir="auto">
            <span className="sr">
              {met === true ? 'Holds: ' : met === null ? 'Not known here: ' : 'Does not hold: '}
            </span>
            {sentence}
          </span>
          <span className="is">{met === true ? '' : needed}</span>
        </li>
      ))}
    </ul>
  )
}
