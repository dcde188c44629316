import type { DecidedContent, RenderedCondition } from '../../contract/content/rendered.ts'
import type { CompiledContent } from './compiled-content.ts'
import { type Gate, type GateName, type Passage, pass, type Situation } from './gates.ts'
import { sentenceOf } from './receipt-sentence.ts'
import type { Standing } from './states.ts'

/** Why a content is shown, or not: the record of the function that decides. */
export interface Receipt {
  content_id: string
  key: string
  outcome: 'show' | 'hide'
  /** The code of the first closed gate. */
  reason: string | null
  sentence: string
  gates: Gate[]
}

export interface Decided {
  /** Ordered per slot, the first is claimed first. */
  content: DecidedContent[]
  receipts: Receipt[]
}

/** Asks every gate of every content, and orders what passes. It reads nothing and writes nothing. */
export function decide(situation: Situation, hasReceipts: boolean): Decided {
  const passages = situation.environment.content.map((content) => ({
    content,
    passage: pass(content, situation, hasReceipts),
  }))
  const shown = passages.filter(({ passage }) => !passage.closed)
  if (hasReceipts) for (const { content, passage } of passages) noteOrder(passage, content, shown, situation.standing)
  return {
    content: shown.map(({ content, passage }) => decidedContent(content, passage)),
    receipts: hasReceipts ? passages.map(({ content, passage }) => receiptOf(content, passage, situation)) : [],
  }
}

/**
 * What is under way comes first: it is resumed before anything starts by itself. The rest is in the order of its rank already.
 * Launchers do not stand in each other's way.
 */
function noteOrder(
  { gates }: Passage,
  { id, type }: CompiledContent,
  shown: readonly { content: CompiledContent }[],
  { states }: Standing,
): void {
  const own = shown.findIndex(({ content }) => content.id === id)
  if (own < 0 || type === 'launcher') return
  const underWay = states.filter((state) => state.activeSessionId !== null && state.contentId !== id)
  const before = [...underWay, ...shown.slice(0, own).map(({ content }) => content)].filter((one) => one.type === type)
  const gate = gates.find((one) => one.gate === 'order')
  if (gate && before.length > 0) gate.behind = [...new Set(before.map(({ key }) => key))]
}

function decidedContent({ decided }: CompiledContent, { left }: Passage): DecidedContent {
  return typeof left === 'boolean' ? decided : { ...decided, where: left as RenderedCondition }
}

function receiptOf(content: CompiledContent, { gates, closed }: Passage, situation: Situation): Receipt {
  return {
    content_id: content.id,
    key: content.key,
    outcome: closed ? 'hide' : 'show',
    reason: closed?.code ?? null,
    sentence: sentenceOf(content, gates, closed, situation),
    gates,
  }
}

/** The receipt with this gate as its reason, if it is closed: others may be closed before it. */
export function withReason(receipt: Receipt, situation: Situation, name: GateName): Receipt {
  const { content_id, gates } = receipt
  const content = situation.environment.content.find(({ id }) => id === content_id)
  const gate = gates.find((one) => one.gate === name && one.code !== null)
  return content && gate
    ? { ...receipt, reason: gate.code, sentence: sentenceOf(content, gates, gate, situation) }
    : receipt
}
