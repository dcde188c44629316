import { useQuery } from '@tanstack/react-query'
import { contentListQuery } from '../content/queries.ts'
import { useEnvironment } from '../session/use-session.ts'
import { Choice } from './choice.tsx'

type Props = {
  /** The key of the content; empty while none is chosen. */
  value: string
  /** The key of the content that is edited. */
  own: string
  onChange: (key: string) => void
}

/** Which content starts: what is live first. A draft can be chosen before it is published, and starts from then on. */
export function StartChoice({ value, own, onChange }: Props) {
  const { slug } = useEnvironment()
  const { data } = useQuery(contentListQuery(slug))
  const others = (data?.data ?? [])
    .filter(({ key }) => key !== own || key === value)
    .map(({ key, name, state }) => ({ value: key, label: name || key, isLive: state !== 'draft' }))
    .sort((a, b) => Number(b.isLive) - Number(a.isLive) || a.label.localeCompare(b.label, undefined, { numeric: true }))
  const options = others.map(({ isLive, ...option }) => ({ ...option, note: isLive ? option.value : 'not published' }))
  const isUnknown = data !== undefined && value !== '' && !others.some((one) => one.value === value)
  return (
    <Choice
      label="Content"
      options={isUnknown ? [...options, { value, label: value, note: 'there is none' }] : options}
      value={value || null}
      placeholder={data || value === '' ? 'Choose content' : value}
      onChange={onChange}
    />
  )
}
