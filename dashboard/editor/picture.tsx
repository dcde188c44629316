import { useState } from 'react'
import type { ContentDocument, Step } from '../../contract/content/document.ts'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { Segments } from '../parts/segments.tsx'
import { Preview } from './preview.tsx'
import { useThemeOf } from './use-theme-of.ts'
import { titleOf } from './words.ts'

type Props = {
  document: ContentDocument
  step?: Step | undefined
  onStep?: (by: 1 | -1) => void
  onBlock?: (index: number) => void
}

type Size = '1440' | '375'
type Mode = 'light' | 'dark'
type Shown = 'open' | 'collapsed' | 'done'

/** What users see of the chosen part, on a neutral page. */
export function Picture({ document, step, onStep, onBlock }: Props) {
  const [size, setSize] = useState<Size>('1440')
  const [mode, setMode] = useState<Mode>('light')
  const [shown, setShown] = useState<Shown>('open')
  const theme = useThemeOf(document)
  const tasks = document.type === 'checklist' ? document.tasks.map(({ key }) => key) : []
  return (
    <section className="pv" aria-label="Preview">
      <div className="pv-bar">
        <Segments
          label="Size"
          options={[
            { value: '1440', label: <Sized icon="desktop" text="1440" /> },
            { value: '375', label: <Sized icon="phone" text="375" /> },
          ]}
          value={size}
          onChange={setSize}
        />
        <Segments
          label="Theme of the page"
          options={[
            { value: 'light', label: <Sized icon="sun" text="Light" /> },
            { value: 'dark', label: <Sized icon="moon" text="Dark" /> },
          ]}
          value={mode}
          onChange={setMode}
        />
        {document.type === 'checklist' && (
          <Segments
            label="State of the checklist"
            options={[
              { value: 'open', label: 'Open' },
              { value: 'collapsed', label: 'Collapsed' },
              { value: 'done', label: 'All done' },
            ]}
            value={shown}
            onChange={setShown}
          />
        )}
      </div>
      <div className={`pv-body s${size}`}>
        {step?.type === 'hidden' && (
          <div className="w-none">
            <Icon name="hidden" />
            <b>Nothing is shown here</b>
            <p>The flow waits, and then takes the first way that holds.</p>
          </div>
        )}
        <Preview
          document={document}
          theme={theme}
          step={step?.key}
          mode={mode}
          isOpen={shown !== 'collapsed'}
          done={shown === 'done' ? tasks : tasks.slice(0, 1)}
          title={step ? `Preview of ${titleOf(step)}` : 'Preview'}
          {...(onBlock ? { onBlock } : {})}
        />
      </div>
      {document.type === 'flow' && onStep && (
        <div className="pv-foot">
          <ol className="path" aria-label="Path">
            {document.steps.map(({ key }, index) => (
              <li key={key}>
                <span className={key === step?.key ? 'on' : ''}>{index + 1}</span>
              </li>
            ))}
          </ol>
          <span className="end">
            <IconButton icon="arrowleft" label="Step before" onClick={() => onStep(-1)} />
            <IconButton icon="arrowright" label="Next step" onClick={() => onStep(1)} />
          </span>
        </div>
      )}
    </section>
  )
}

const Sized = ({ icon, text }: { icon: 'desktop' | 'phone' | 'sun' | 'moon'; text: string }) => (
  <>
    <Icon name={icon} /> {text}
  </>
)
