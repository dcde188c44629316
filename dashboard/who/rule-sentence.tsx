import type { ContentDocument } from '../../contract/content/document.ts'
import { Sentence } from '../conditions/sentence.tsx'
import { useSentence } from '../conditions/use-sentence.ts'
import { frequencyOf, frequencyWords, whenWords } from './when-words.ts'

type Props = { document: ContentDocument; quietSeconds: number }

/** The whole rule, read aloud. */
export function RuleSentence({ document, quietSeconds }: Props) {
  const { who, where } = document
  const sentence = useSentence()
  const shown = `Shown ${frequencyWords(frequencyOf(document))}`
  return (
    <>
      <Sentence condition={who} before={`${shown}, to whoever fits: `} otherwise={`${shown}, to everybody`} />
      <p className="sentence">
        {where ? `Where ${sentence(where)}` : 'On every page'}
        {whenWords(document, quietSeconds)}.
      </p>
    </>
  )
}
