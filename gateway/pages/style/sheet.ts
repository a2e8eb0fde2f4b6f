import { ARTICLES } from './articles.ts'
import { BASE } from './base.ts'
import { FORMS } from './forms.ts'
import { PARTS } from './parts.ts'
import { TOKENS } from './tokens.ts'

/** The one style sheet of all pages. */
export const STYLE = [TOKENS, BASE, FORMS, PARTS, ARTICLES].join('')
