import { count } from '../format/number.ts'
import { Icon } from '../parts/icon.tsx'
import { KEPT_ROWS } from './ring.ts'

export function NewRowsStrip({ waiting, onShow }: { waiting: number; onShow: () => void }) {
  const full = waiting >= KEPT_ROWS
  return (
    <button type="button" className="new-rows" data-hotkey="n" onClick={onShow}>
      <Icon name="arrowup" />
      {full
        ? `${KEPT_ROWS}+ new requests, the oldest are dropped`
        : `${count(waiting)} new ${waiting === 1 ? 'request' : 'requests'}`}
      <span className="t2">Show</span>
    </button>
  )
}
