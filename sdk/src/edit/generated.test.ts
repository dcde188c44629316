import { expect, it } from 'vitest'
import { isGenerated } from './generated.ts'

it.each([
  'css-1q2w3e4',
  'sc-bdVaJa',
  'jss142',
  'svelte-1x2y3z',
  'Button_primary__3xK9a',
  'Button_root__aBcDe',
  '_3xK9a_7',
  'ember1042',
  ':r1:',
  'radix-:r3:',
  'headlessui-menu-button-14',
  'hover:bg-blue-500',
  'task-1042',
  '550e8400-e29b-41d4-a716-446655440000',
  'ng-c1234567',
])('%s was made by a tool', (name) => expect(isGenerated(name)).toBe(true))

it.each([
  'export',
  'timeline-bar',
  'projectListItem',
  'nav_timeline',
  'btn-primary',
  'Toolbar',
  'step-2',
  'h1-title',
  'css',
  'score-card',
  'oauth2-login',
  'mui-theme-switch',
])('%s was written by a person', (name) => expect(isGenerated(name)).toBe(false))
