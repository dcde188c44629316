import { describe } from 'vitest'
import { testWalks } from '../../test/support/list-walks.ts'

describe('walking 600 users seven at a time', () => testWalks(600))
