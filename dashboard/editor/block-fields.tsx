import type { Block, QuestionBlock } from '../../contract/content/document.ts'
import { Choice, Tick } from './choice.tsx'
import { TextField } from './text-field.tsx'

type Props = { block: Block; number: number; onChange: (block: Block, field: string) => void }

/** The texts of a block. */
export function BlockFields({ block, number, onChange }: Props) {
  const quiet = { isQuiet: true } as const
  if ('heading' in block)
    return (
      <TextField
        {...quiet}
        label={`Heading, block ${number}`}
        placeholder="Heading"
        maxLength={200}
        value={block.heading}
        onChange={(heading) => onChange({ heading }, 'heading')}
      />
    )
  if ('text' in block)
    return (
      <TextField
        {...quiet}
        isLong
        label={`Text, block ${number}`}
        placeholder="Text: **bold**, *italic*, `code`, [link](https://…), {{ user.name | there }}"
        maxLength={4000}
        value={block.text}
        onChange={(text) => onChange({ text }, 'text')}
      />
    )
  if ('image' in block)
    return (
      <div className="stack">
        <TextField
          {...quiet}
          isMono
          label={`Address of the image, block ${number}`}
          placeholder="https://…"
          value={block.image}
          onChange={(image) => onChange({ ...block, image }, 'image')}
        />
        <TextField
          {...quiet}
          label={`What the image shows, block ${number}`}
          placeholder="What it shows, in words"
          maxLength={500}
          value={block.alt}
          onChange={(alt) => onChange({ ...block, alt }, 'alt')}
        />
      </div>
    )
  if ('video' in block)
    return (
      <div className="stack">
        <TextField
          {...quiet}
          isMono
          label={`Address of the video, block ${number}`}
          placeholder="https://…"
          value={block.video}
          onChange={(video) => onChange({ ...block, video }, 'video')}
        />
        <TextField
          {...quiet}
          label={`Title of the video, block ${number}`}
          placeholder="What it is"
          maxLength={200}
          value={block.title}
          onChange={(title) => onChange({ ...block, title }, 'title')}
        />
      </div>
    )
  if ('question' in block) return <QuestionFields block={block} number={number} onChange={onChange} />
  return <p className="t2">A line</p>
}

const KINDS = [
  { value: 'nps', label: 'NPS, 0 to 10' },
  { value: 'rating', label: 'Rating, 1 to 5' },
  { value: 'choice', label: 'Choice' },
  { value: 'text', label: 'Text' },
] as const satisfies { value: QuestionBlock['kind']; label: string }[]

function QuestionFields({ block, number, onChange }: Props & { block: QuestionBlock }) {
  const put = (change: Partial<QuestionBlock>, field: string) => onChange({ ...block, ...change }, field)
  return (
    <div className="stack">
      <TextField
        isQuiet
        label={`Question, block ${number}`}
        placeholder="What is asked"
        maxLength={300}
        value={block.label}
        onChange={(label) => put({ label }, 'label')}
      />
      <Choice
        label="Kind"
        options={[...KINDS]}
        value={block.kind}
        onChange={(kind) => onChange(asQuestion(block, kind), 'kind')}
      />
      {block.kind === 'choice' && (
        <>
          <TextField
            isLong
            label="Options"
            placeholder="One on each line"
            value={(block.options ?? []).join('\n')}
            onChange={(text) => put({ options: text.split('\n') }, 'options')}
          />
          <Tick
            label="Several may be chosen"
            checked={block.multiple ?? false}
            onChange={(multiple) => put({ multiple }, 'multiple')}
          />
          <TextField
            label="Other"
            placeholder="An option with a text of one's own"
            maxLength={100}
            value={block.other ?? ''}
            onChange={(other) => onChange(withText(block, 'other', other), 'other')}
          />
        </>
      )}
      {isScale(block.kind) &&
        (['low', 'high'] as const).map((end) => (
          <TextField
            key={end}
            label={end === 'low' ? 'Low end' : 'High end'}
            placeholder={end === 'low' ? 'Not likely' : 'Very likely'}
            maxLength={50}
            value={block[end] ?? ''}
            onChange={(text) => onChange(withText(block, end, text), end)}
          />
        ))}
      {block.kind === 'text' && (
        <Tick label="Several lines" checked={block.long ?? false} onChange={(long) => put({ long }, 'long')} />
      )}
      <Tick
        label="Must be answered to go on"
        checked={block.required ?? false}
        onChange={(required) => put({ required }, 'required')}
      />
      <p className="t3 s12">
        In conditions and results it is <code>{block.question}</code>.
      </p>
    </div>
  )
}

const isScale = (kind: QuestionBlock['kind']) => kind === 'nps' || kind === 'rating'

/** A text that was emptied is left out: what is there may not be empty. */
function withText(block: QuestionBlock, name: 'low' | 'high' | 'other', text: string): QuestionBlock {
  const { [name]: _, ...rest } = block
  return text === '' ? rest : { ...block, [name]: text }
}

/** Another kind keeps what both have. */
function asQuestion(block: QuestionBlock, kind: QuestionBlock['kind']): QuestionBlock {
  const { question, label, required, low, high } = block
  const kept = { question, kind, label, ...(required === undefined ? {} : { required }) }
  if (isScale(kind) && isScale(block.kind))
    return { ...kept, ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) }
  return kind === 'choice' ? { ...kept, options: ['Yes', 'No'] } : kept
}
