import { betterColor, type ColorPair, colorPairs, contrastOf, roundedDown } from '../../contract/content/contrast.ts'
import type { ThemeDocument } from '../../contract/content/theme.ts'
import { Button } from '../parts/button.tsx'
import { State } from '../parts/state.tsx'
import { MODES, withColor } from './colors-section.tsx'
import type { EditedTheme } from './use-edited-theme.ts'

type Props = { edited: EditedTheme; reason: string | undefined }
type Mode = (typeof MODES)[number]

/** What meets what, and whether it can be read. It warns and does not forbid. */
export function ContrastSection({ edited: { document, edit }, reason }: Props) {
  const failing = failingPairs(document)
  return (
    <section aria-labelledby="th-contrast">
      <div className="th-row head">
        <h2 className="h2" id="th-contrast">
          Contrast
        </h2>
        <span className="t2 right">Light</span>
        <span className="t2 right">Dark</span>
      </div>
      <ul className="th-pairs">
        {colorPairs.map((pair) => (
          <li key={pair.name} className="th-row">
            <span>{pair.name}</span>
            {MODES.map((mode) => (
              <Ratio key={mode} pair={pair} document={document} mode={mode} />
            ))}
          </li>
        ))}
      </ul>
      <p role="status">
        {failing.length === 0 ? (
          <State tone="ok" shape="full">
            All pass: text needs 4.5, shapes 3
          </State>
        ) : (
          <State tone="warn" shape="half">
            {failing.length === 1 ? 'One pair' : `${failing.length} pairs`} too close to read
          </State>
        )}
      </p>
      {failing.map(({ pair, mode }) => {
        const better = betterColor(pair, document[mode])
        return (
          <p key={`${mode} ${pair.name}`} className="th-fix">
            <span>
              {pair.name}, {mode}
            </span>
            <Button
              small
              reason={reason}
              onClick={() => edit(withColor(document, mode, pair.changes, better))}
              aria-label={`Use ${better} for ${pair.name.toLowerCase()}, ${mode}`}
            >
              <i className="sw" style={{ background: better }} /> Use {better}
            </Button>
          </p>
        )
      })}
    </section>
  )
}

function Ratio({ pair, document, mode }: { pair: ColorPair; document: ThemeDocument; mode: Mode }) {
  const ratio = contrastOf(document[mode][pair.front], document[mode][pair.ground])
  const passes = ratio >= pair.least
  return (
    <span className={passes ? 'num right' : 'num right warn-t'}>
      {roundedDown(ratio)}
      {!passes && <span className="sr"> is too low</span>}
    </span>
  )
}

export const failingPairs = (document: ThemeDocument): { pair: ColorPair; mode: Mode }[] =>
  MODES.flatMap((mode) =>
    colorPairs
      .filter(({ front, ground, least }) => contrastOf(document[mode][front], document[mode][ground]) < least)
      .map((pair) => ({ pair, mode })),
  )
