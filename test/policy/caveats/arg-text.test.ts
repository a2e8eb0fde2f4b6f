import { MAX_TEXT } from '../../../policy/text.ts'
import { testAxis, withArg } from './table.ts'

testAxis({
  good: [],
  bad: [],
  judged: [
    {
      line: 'arg X.a prefix /a*"',
      holds: [withArg('/a*"'), withArg('/a*"b'), withArg(['/a*"1', '/a*"2'])],
      refuses: [
        withArg('/ab"'),
        withArg('x/a*"'),
        withArg(5),
        withArg(true),
        withArg('/a*"\ud800'),
      ],
      code: 'arg_refused',
    },
    {
      line: 'arg X.a glob *@acme.com',
      holds: [
        withArg('@acme.com'),
        withArg('x@acme.com'),
        withArg('a@b@acme.com'),
        withArg('a\n@acme.com'),
      ],
      refuses: [
        withArg('x@acme.com.evil'),
        withArg('x@acmexcom'),
        withArg(5),
        withArg(['x@acme.com', 'y']),
      ],
      code: 'arg_refused',
    },
    {
      line: 'arg X.a glob a*a',
      holds: [withArg('aa')],
      refuses: [withArg('a')],
      code: 'arg_refused',
    },
    { line: 'arg X.a glob 5*', refuses: [withArg(5)], code: 'arg_refused' },
    {
      // What a match may cost is bounded by pattern times text.
      line: `arg X.a glob *${'a'.repeat(1023)}`,
      holds: [withArg('a'.repeat(1024))],
      refuses: [withArg('a'.repeat(1025))],
      code: 'arg_refused',
    },
    {
      line: 'arg X.a prefix a',
      holds: [withArg('a'.repeat(MAX_TEXT))],
      refuses: [withArg('a'.repeat(MAX_TEXT + 1))],
      code: 'arg_refused',
    },
  ],
})
