import { type ReactNode, useState } from 'react'

type Value = string | number | boolean | null | Value[] | { [name: string]: Value }

type Props = {
  /** The text as it was sent. Text that is not JSON is shown unchanged. */
  text: string
  /** A path such as `attributes.seats.add` or `groups[1].id`: the field that an error is about. */
  mark?: string | null | undefined
}

const OPEN_LEVELS = 2
const SHORT_ENTRIES = 20
const INLINE_CHARACTERS = 60

/** Everything is a text node: data never becomes HTML. */
export function Json({ text, mark }: Props) {
  const parsed = parse(text)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <pre tabIndex={0} dir="auto">
      {parsed === undefined ? (
        text
      ) : (
        <Node value={parsed.value} level={0} path="" mark={mark?.replace(/\[(\d+)\]/g, '.$1')} />
      )}
    </pre>
  )
}

function parse(text: string): { value: Value } | undefined {
  try {
    return { value: JSON.parse(text) as Value }
  } catch {
    return undefined
  }
}

type NodeProps = { value: Value; level: number; path: string; mark: string | undefined }

function Node({ value, level, path, mark }: NodeProps): ReactNode {
  if (value === null || typeof value !== 'object') return <Leaf value={value} marked={path !== '' && path === mark} />
  return <Branch value={value} level={level} path={path} mark={mark} />
}

function Leaf({ value, marked }: { value: string | number | boolean | null; marked: boolean }) {
  const name = typeof value === 'string' ? 'tok-str' : typeof value === 'number' ? 'tok-num' : 'tok-bool'
  return <span className={`${name} ${marked ? 'tok-mark' : ''}`}>{JSON.stringify(value)}</span>
}

function Branch({ value, level, path, mark }: NodeProps & { value: Value[] | { [name: string]: Value } }) {
  const list = Array.isArray(value)
  const entries = Object.entries(value)
  const [start, end] = list ? ['[', ']'] : ['{', '}']
  const marked = mark?.startsWith(path) ?? false
  const [open, setOpen] = useState(level <= OPEN_LEVELS || marked)
  const [all, setAll] = useState(false)
  if (entries.length === 0) return `${start}${end}`
  const inline = level > 0 && isShort(value)
  if (!open && !inline) return <Fold onOpen={() => setOpen(true)} text={`${start} … ${entries.length} ${end}`} />
  const shown = all ? entries : entries.slice(0, SHORT_ENTRIES)
  const lead = inline ? ' ' : `\n${'  '.repeat(level + 1)}`
  return (
    <>
      {start}
      {shown.map(([name, child], index) => (
        <span key={name}>
          {index > 0 ? ',' : ''}
          {lead}
          {list ? '' : `${JSON.stringify(name)}: `}
          <Node value={child} level={level + 1} path={path ? `${path}.${name}` : name} mark={mark} />
        </span>
      ))}
      {shown.length < entries.length && (
        <>
          {lead}
          <Fold onOpen={() => setAll(true)} text={`… ${entries.length - shown.length} more`} />
        </>
      )}
      {inline ? ' ' : `\n${'  '.repeat(level)}`}
      {end}
    </>
  )
}

const Fold = ({ onOpen, text }: { onOpen: () => void; text: string }) => (
  <button type="button" className="fold" onClick={onOpen}>
    {text}
  </button>
)

/** Flat and small: on one line. */
function isShort(value: object): boolean {
  const flat = Object.values(value).every((child) => child === null || typeof child !== 'object')
  return flat && JSON.stringify(value).length <= INLINE_CHARACTERS
}
