import type { ContentDocument } from '../../contract/content/document.ts'
import { Sentence } from '../conditions/sentence.tsx'
import { useSentence } from '../conditions/use-sentence.ts'
import { frequencyOf, frequencyWords, whenWords } from './when-words.ts'

type Props = { document: ContentDocument; names: Readonly<Record<string, string>>; quietSeconds: number }

/** The whole rule, read aloud. */
export function RuleSentence({ document, names, quietSeconds }: Props) {
  const { who, where } = document
  const sentence = useSentence(names)
  const shown = `Shown ${frequencyWords(frequencyOf(document))}`
  return (
    <>
      <Sentence
        condition={who}
        names={names}
        before={`${shown}, to whoever fits: `}
        otherwise={`${shown}, to everybody`}
      />
      <p className="sentence">
        {where ? `Where ${sentence(where)}` : 'On every page'}
        {whenWords(document, quietSeconds)}.
      </p>
    </>
  )
}
