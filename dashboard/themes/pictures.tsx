import { useState } from 'react'
import type { ThemeDocument } from '../../contract/content/theme.ts'
import { Preview } from '../editor/preview.tsx'
import { Icon } from '../parts/icon.tsx'
import { Segments } from '../parts/segments.tsx'
import { useShownTheme } from '../parts/theme.ts'
import { samples } from './samples.ts'

/** Every widget with this theme, drawn by the files that pages load. */
export function Pictures({ theme }: { theme: ThemeDocument }) {
  const own = useShownTheme()
  const [chosen, setMode] = useState<'light' | 'dark' | 'both'>()
  const mode = chosen ?? own
  const [isFull, setFull] = useState(false)
  const modes = mode === 'both' ? (['light', 'dark'] as const) : [mode]
  return (
    <section className="pv th-pv" aria-label="Every widget with this theme">
      <div className="pv-bar">
        <span>Every widget, with this theme</span>
        <button type="button" className="link full" aria-pressed={isFull} onClick={() => setFull(!isFull)}>
          At full size
        </button>
        <span className="end">
          <Segments
            label="Theme of the page"
            options={[
              { value: 'light', label: <Named icon="sun" name="Light" /> },
              { value: 'dark', label: <Named icon="moon" name="Dark" /> },
              { value: 'both', label: 'Both' },
            ]}
            value={mode}
            onChange={setMode}
          />
        </span>
      </div>
      <div className={isFull ? 'th-grid full' : 'th-grid'}>
        {samples.flatMap((sample) =>
          modes.map((shown) => (
            <figure key={`${sample.title} ${shown}`} className={sample.isLow ? 'low' : ''}>
              <Preview
                document={sample.document}
                theme={theme}
                mode={shown}
                title={`${sample.title}, ${shown}`}
                {...(sample.isOpen ? { isOpen: true } : {})}
                {...(sample.done ? { done: sample.done } : {})}
              />
              <figcaption className="sr">
                {sample.title}, {shown}
              </figcaption>
            </figure>
          )),
        )}
      </div>
    </section>
  )
}

const Named = ({ icon, name }: { icon: 'sun' | 'moon'; name: string }) => (
  <>
    <Icon name={icon} /> {name}
  </>
)
