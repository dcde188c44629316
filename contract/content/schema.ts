import type { TProperties } from 'typebox'
import { attributeInput } from '../attributes.ts'
import { conditionDefinitions } from '../conditions/schema.ts'
import { limits } from '../limits.ts'
import { ATTRIBUTE_NAME_PATTERN, ATTRIBUTE_NAME_RULE, EVENT_NAME_PATTERN, EVENT_NAME_RULE } from '../names.ts'
import { storable } from '../schema.ts'
import { Type } from '../type.ts'
import type { DocumentSchema } from './check.ts'
import { contentTypes, questionKinds } from './document.ts'
import {
  closed,
  condition,
  duration,
  flag,
  formOf,
  key,
  list,
  oneOfWords,
  optional,
  ownKey,
  ref,
  text,
} from './fields.ts'

/** The JSON Schema of documents: published at /schemas/content.json, and what the API, the dashboard and files are checked with. */

const literal = (value: string, description: string) => Type.Literal(value, { description })

const name = text('What your team calls it.', 100)
const blocks = list(ref('block'), 'What it shows, from top to bottom.', 0, limits.blocksPerStep)
const buttons = optional(list(ref('button'), 'From left to right.', 0, limits.buttonsPerStep))
const actions = (minItems: number) => list(ref('action'), 'What happens, in this order.', minItems, 5)
const position = (words: readonly string[]) => optional(oneOfWords(words, 'Where it stands in the window.'))

const common = {
  $schema: optional(text('The address of this schema, for editors.', limits.urlCharacters)),
  key: ownKey('Unique in its environment, and the same in all environments.'),
  name,
  who: optional(condition('who', 'Which users may see it: a condition of server leaves. Without it, everybody.')),
  where: optional(condition('where', 'On which pages it starts: a condition, which is asked at the start only.')),
  when: optional(ref('when')),
  theme: optional(key('The key of a theme.')),
  startable: optional(flag('A page may start it by its key.')),
}

const document = (type: (typeof contentTypes)[number], fields: TProperties, description: string) => {
  const { $schema, key, ...others } = common
  return closed({ $schema, key, type: literal(type, 'The kind of content.'), ...others, ...fields }, description)
}

const step = (type: string, fields: TProperties, description: string) =>
  closed(
    {
      key: key('The same step in every version.'),
      type: literal(type, 'The kind of step.'),
      name: optional(text('For lists of steps. The first heading unless given.', 100)),
      ...fields,
      timeout: type === 'hidden' ? ref('timeout') : optional(ref('timeout')),
    },
    description,
  )

const advance = (minItems: number) =>
  list(ref('advance'), 'Where it goes on by itself: the first that holds.', minItems, 10)
const shown = {
  blocks,
  advance: optional(advance(0)),
  buttons,
  closable: optional(flag('False: it has no close button.')),
}

const way = (on: string, fields: TProperties) =>
  closed(
    {
      on: literal(on, 'What makes it go on.'),
      ...fields,
      to: optional(key('The key of the step that follows; the next one in the list unless given.')),
      end: optional(oneOfWords(['completed', 'dismissed'], 'It ends here.')),
    },
    'A way on.',
  )

/** Fields that only questions of this kind have. */
const onlyOf = (kind: (typeof questionKinds)[number], fields: readonly string[], required: readonly string[] = []) => ({
  if: { properties: { kind: { const: kind } }, required: ['kind'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required },
  else: { properties: Object.fromEntries(fields.map((field) => [field, false])) },
})

const $defs = {
  ...conditionDefinitions,
  flow: document(
    'flow',
    { steps: list(ref('step'), 'The steps.', 1, limits.stepsPerFlow) },
    'Tooltips and dialogs, one after the other.',
  ),
  checklist: document(
    'checklist',
    {
      text: optional(text('Above the tasks: Markdown.', 2_000, 'markdown')),
      tasks: list(ref('task'), 'The tasks.', 1, limits.tasksPerChecklist),
      position: position(['bottom_right', 'bottom_left']),
      starts_open: optional(flag('It is collapsed at first unless true.')),
      dismissible: optional(flag('Users can hide it; true unless given.')),
    },
    'Tasks that users complete in any order.',
  ),
  banner: document(
    'banner',
    { blocks, buttons, position: position(['top', 'bottom']), dismissible: optional(flag('True unless given.')) },
    'A line at the top or bottom of the page.',
  ),
  launcher: document(
    'launcher',
    {
      target: ref('target'),
      look: optional(oneOfWords(['beacon', 'icon'], 'A beacon unless given.')),
      label: text('What assistive technology says.', 200, 'template'),
      do: actions(0),
      dismissible: optional(flag('False unless given.')),
    },
    'A mark at an element, which does something when it is activated.',
  ),
  when: closed(
    {
      frequency: optional(
        Type.Unsafe<unknown>({
          description: 'How often; once unless given: until it is completed or dismissed.',
          anyOf: [{ type: 'string', enum: ['once', 'until_completed', 'always'] }, { $ref: '#/$defs/every' }],
          'x-rule': 'must be once, until_completed, always, or { "every": "7d" }',
        }),
      ),
      at_most: optional(Type.Integer({ description: 'How often it may start.', minimum: 1, maximum: 1_000 })),
      wait: optional(duration('All conditions hold for that long without a break.')),
      priority: optional(Type.Integer({ description: 'High first; 50 unless given.', minimum: 0, maximum: 100 })),
      exempt_from_quiet: optional(flag('It may start in the quiet period after a flow.')),
    },
    'How often and how soon.',
  ),
  every: closed({ every: duration('The time between two starts.') }, 'Again after some time.'),
  step: formOf('type', ['tooltip', 'dialog', 'hidden'], 'A step of a flow.'),
  tooltip: step('tooltip', { target: ref('target'), ...shown }, 'Attached to an element.'),
  dialog: step('dialog', shown, 'In the middle of the page.'),
  hidden: step(
    'hidden',
    { wait_until: optional(condition('where', 'It goes on when this condition holds.')), advance: advance(1) },
    'Shows nothing: waits, and branches.',
  ),
  timeout: closed(
    { after: duration('How long.'), to: key('The key of the step that follows then.') },
    'When it takes too long.',
  ),
  advance: formOf('on', ['on_click', 'on_input', 'on_condition', 'otherwise'], 'A way on.'),
  on_click: way('target_click', {}),
  on_input: way('target_input', {}),
  on_condition: way('condition', { condition: condition('where', 'It goes on when this holds.') }),
  otherwise: way('otherwise', {}),
  target: closed(
    {
      locators: list(text('A locator.', 500, 'locator'), 'Best first.', 1, 10),
      placement: optional(oneOfWords(['auto', 'top', 'bottom', 'left', 'right'], 'At which side; auto unless given.')),
      timeout: optional(duration('How long it is looked for; 8s unless given.')),
      on_missing: optional(oneOfWords(['wait', 'skip', 'center', 'end'], 'What then happens; wait unless given.')),
    },
    'An element of the page.',
  ),
  block: formOf('key', ['heading', 'text', 'image', 'video', 'divider', 'question'], 'A part of what is shown.'),
  heading: closed({ heading: text('One line; bold, italic, code and links.', 200, 'markdown') }, 'A heading.'),
  text: closed({ text: text('Markdown: bold, italic, code, link, list.', 4_000, 'markdown') }, 'A text.'),
  image: closed(
    {
      image: text('An https address.', limits.urlCharacters, 'image'),
      alt: text('What it shows, in words; "" for decoration.', 500, undefined, 0),
    },
    'A picture.',
  ),
  video: closed(
    { video: text('The address of the video.', limits.urlCharacters, 'video'), title: text('What it is.', 200) },
    'A video.',
  ),
  divider: closed({ divider: Type.Unsafe<true>({ const: true, type: 'boolean' }) }, 'A line.'),
  question: {
    allOf: [onlyOf('choice', ['options', 'multiple', 'other'], ['options']), onlyOf('text', ['long'])],
    ...closed(
      {
        question: key('The same question in every version.'),
        kind: oneOfWords(questionKinds, 'nps: 0 to 10. rating: 1 to 5. choice: of options. text: free.'),
        label: text('What is asked.', 300, 'markdown'),
        required: optional(flag('It must be answered to go on.')),
        options: optional({ ...list(text('An option.', 100), 'Of a choice.', 1, 20), uniqueItems: true }),
        multiple: optional(flag('Several options may be chosen.')),
        other: optional(text('The label of a further option with a text of one’s own.', 100)),
        long: optional(flag('A text of several lines.')),
        low: optional(text('At the low end of nps and rating.', 50)),
        high: optional(text('At the high end of nps and rating.', 50)),
      },
      'A question.',
    ),
  },
  button: closed(
    {
      label: text('What it says.', 60, 'template'),
      style: optional(oneOfWords(['primary', 'secondary'], 'Secondary unless given.')),
      do: actions(1),
    },
    'A button.',
  ),
  task: closed(
    {
      key: key('The same task in every version.'),
      name: text('What is to be done.', 100, 'template'),
      text: optional(text('More about it: Markdown.', 2_000, 'markdown')),
      button: optional(text('The label of its button.', 60, 'template')),
      do: optional(actions(0)),
      complete_when: optional(condition('where', 'When it is done. Without it a click completes it.')),
      visible_when: optional(condition('where', 'When it is shown. Always unless given.')),
    },
    'A task of a checklist.',
  ),
  action: formOf('key', ['next', 'previous', 'go_to', 'end', 'open', 'start', 'set', 'track'], 'What a button does.'),
  next: closed(
    { next: Type.Unsafe<true>({ const: true, type: 'boolean' }) },
    'Go to the following step; the last one completes.',
  ),
  previous: closed({ previous: Type.Unsafe<true>({ const: true, type: 'boolean' }) }, 'Go to the step before.'),
  go_to: closed({ go_to: key('The key of a step.') }, 'Go to a step.'),
  end: closed({ end: oneOfWords(['completed', 'dismissed'], 'As what it ends.') }, 'End.'),
  open: closed(
    {
      open: text('http, https, mailto, tel, or relative.', limits.urlCharacters, 'address'),
      in: optional(oneOfWords(['same', 'new'], 'In which tab; the same unless given.')),
    },
    'Open an address.',
  ),
  start: closed({ start: key('The key of other content.') }, 'Start other content.'),
  set: closed(
    {
      set: Type.String({
        description: 'The name of an attribute of the user.',
        pattern: ATTRIBUTE_NAME_PATTERN,
        'x-rule': ATTRIBUTE_NAME_RULE,
      }),
      value: Type.Unsafe<unknown>({
        ...attributeInput,
        description: 'A value, or one operation, as in the API.',
        allOf: [attributeInput['x-states']],
      }),
    },
    'Set an attribute of the user.',
  ),
  track: closed(
    {
      track: Type.String({
        description: 'The name of an event.',
        pattern: EVENT_NAME_PATTERN,
        'x-rule': EVENT_NAME_RULE,
      }),
      attributes: optional(
        Type.Unsafe<unknown>({
          type: 'object',
          description: 'The attributes of the event.',
          maxProperties: 50,
          propertyNames: { pattern: ATTRIBUTE_NAME_PATTERN, 'x-rule': ATTRIBUTE_NAME_RULE },
          additionalProperties: {
            ...storable,
            type: ['string', 'number', 'boolean'],
            maxLength: 1_000,
          },
        }),
      ),
    },
    'Track an event of the user.',
  ),
}

export const contentSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Content of Usher',
  ...formOf('type', contentTypes, 'A flow, a checklist, a banner or a launcher.'),
  $defs,
} as const

/** Its definitions by name, for the check. */
export const definitions = contentSchema.$defs as unknown as Readonly<Record<string, DocumentSchema>>
