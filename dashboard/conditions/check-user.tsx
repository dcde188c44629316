import { type FormEvent, type ReactNode, useState } from 'react'
import type { Condition } from '../../contract/conditions/condition.ts'
import { call } from '../api.ts'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import type { Receipt, Scope } from './queries.ts'

type Props = { condition: Condition | undefined; scope: Scope; more?: (id: string) => ReactNode }

interface Checked {
  id: string
  name: string
  receipt: Receipt
}

/** Whether one user matches, in a sentence. By id, e-mail or name. */
export function CheckUser({ condition, scope, more }: Props) {
  const { slug: environment } = useEnvironment()
  const [text, setText] = useState('')
  const [checked, setChecked] = useState<Checked>()
  const check = useAction(async () => {
    const { data } = await call(scope === 'user' ? 'listUsers' : 'listGroups', {
      environment,
      q: text.trim(),
      limit: 1,
    })
    const [found] = data
    if (!found) throw new Error(`No ${scope} begins with “${text.trim()}”.`)
    const name = [found.attributes.name, found.attributes.email].find((value) => typeof value === 'string') ?? found.id
    const ids = scope === 'user' ? { user_id: found.id } : { group_id: found.id }
    const receipt = await call('explainCondition', { environment, condition: condition as Condition, ...ids })
    setChecked({ id: found.id, name: String(name), receipt })
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(undefined)
    if (text.trim() !== '' && condition) void check.run()
  }
  return (
    <form onSubmit={submit}>
      <div className="sec">
        <h2 className="h2">Check a {scope}</h2>
      </div>
      <div className="search whole">
        <Icon name="search" />
        <input
          type="search"
          className="input"
          aria-label={scope === 'user' ? 'Id, e-mail or name' : 'Id or name'}
          placeholder={scope === 'user' ? 'Id, e-mail or name' : 'Id or name'}
          autoComplete="off"
          spellCheck={false}
          data-hotkey="w"
          disabled={condition === undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <kbd aria-hidden="true">↵</kbd>
      </div>
      <div role="status">
        {check.problem && <p className="health warn">{check.problem}</p>}
        {checked && <Answer checked={checked} more={more?.(checked.id)} />}
      </div>
    </form>
  )
}

function Answer({ checked: { name, receipt }, more }: { checked: Checked; more: ReactNode }) {
  const { met, sentence, leaves } = receipt
  const lacking = leaves.filter((leaf) => leaf.met !== true).length
  return (
    <div className={met === true ? 'health' : 'health bad'}>
      <b dir="auto">
        {name} {met === true ? 'matches' : met === null ? 'may match: not all is known' : 'does not match'}.
      </b>
      <br />
      <span dir="auto">{met === true ? 'Every line holds.' : `${sentence}.`}</span>{' '}
      {met !== true && lacking === 1 && leaves.length > 1 && 'The other lines hold.'} {more}
    </div>
  )
}
