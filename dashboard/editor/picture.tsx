import { useState } from 'react'
import type { ContentDocument, Step } from '../../contract/content/document.ts'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import { stepTitle } from '../../contract/content/step-title.ts'
import { useContent } from '../content/use-draft.ts'
import { useInPlaceActs } from '../content/use-in-place-acts.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Segments } from '../parts/segments.tsx'
import { useShownTheme } from '../parts/theme.ts'
import { useAddress } from '../shell/use-address.ts'
import { AsFoot } from './as-foot.tsx'
import { InspectButton } from './edit-frame.tsx'
import { PathFoot } from './path-foot.tsx'
import { Preview } from './preview.tsx'
import { useDraftAs } from './use-draft-as.ts'
import { useThemeOf } from './use-theme-of.ts'

type Props = {
  document: ContentDocument
  step?: Step | undefined
  onChoose?: (step: string) => void
  onBlock?: (index: number) => void
}

type Size = '1440' | '375'
type Mode = 'light' | 'dark'
type Shown = 'open' | 'collapsed' | 'done'

/** What users see of the chosen part, on a neutral page. */
export function Picture({ document, step, onChoose, onBlock }: Props) {
  const [size, setSize] = useState<Size>('1440')
  const own = useShownTheme()
  const [chosen, setMode] = useState<Mode>()
  const mode = chosen ?? own
  const [shown, setShown] = useState<Shown>('open')
  const theme = useThemeOf(document)
  const [search, setSearch] = useAddress<{ as?: string | undefined }>()
  const draft = useDraftAs(search.as)
  // The server draws drafts as a user. A published version that is looked at is drawn for nobody.
  const { version } = useContent()
  const tasks = document.type === 'checklist' ? document.tasks.map(({ key }) => key) : []
  const onAs = (as: string | undefined) => setSearch({ ...search, as })
  return (
    <section className="pv" aria-label="Preview">
      <div className="pv-bar">
        <InspectButton />
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
        <OpenInApp step={step?.key} />
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
          rendered={draft.rendered}
          step={step?.key}
          mode={mode}
          isOpen={shown !== 'collapsed'}
          done={shown === 'done' ? tasks : (doneIn(draft.rendered) ?? tasks.slice(0, -1).slice(0, 1))}
          title={step ? `Preview of ${stepTitle(step)}` : 'Preview'}
          {...(onBlock ? { onBlock } : {})}
        />
      </div>
      {document.type !== 'flow' && version === undefined && <AsFoot as={search.as} draft={draft} onAs={onAs} />}
      {document.type === 'flow' && onChoose && (
        <PathFoot
          flow={document}
          chosen={step?.key}
          as={search.as}
          draft={draft}
          onChoose={onChoose}
          {...(version === undefined ? { onAs } : {})}
        />
      )}
    </section>
  )
}

/** The tasks that a user has done; undefined where nobody is chosen. */
const doneIn = (content: RenderedContent | undefined) =>
  content?.type === 'checklist' ? content.tasks.filter(({ completed }) => completed).map(({ key }) => key) : undefined

function OpenInApp({ step }: { step: string | undefined }) {
  const { detail } = useContent()
  const { reason, open, ask } = useInPlaceActs()
  const wish = { purpose: 'preview', step } as const
  return (
    <>
      {detail.address && (
        <button type="button" className="addr clip" title="Change the page" onClick={() => ask(wish)}>
          {detail.address.replace(/^https?:\/\//, '')}
        </button>
      )}
      <Button small className="end" icon="ext" reason={reason} onClick={() => open(wish)}>
        Open in your app
      </Button>
    </>
  )
}

const Sized = ({ icon, text }: { icon: 'desktop' | 'phone' | 'sun' | 'moon'; text: string }) => (
  <>
    <Icon name={icon} /> {text}
  </>
)
