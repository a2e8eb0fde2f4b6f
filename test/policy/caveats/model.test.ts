import { testAxis, withModels } from './table.ts'

testAxis({
  good: ['model = gpt-*,claude-*', 'model = *'],
  bad: [
    ['model = gpt-*,', /empty item/],
    ['model = gpt 4', /holds a space/],
    ['model glob gpt-*', /the op/],
  ],
  judged: [
    {
      line: 'model = gpt-*,claude-*',
      holds: [
        { model: { kind: 'none' } },
        withModels('gpt-4'),
        withModels('gpt-4', 'claude-9'),
        withModels(...Array.from({ length: 200 }, () => 'gpt-4')),
      ],
      refuses: [
        { model: { kind: 'unknown' } },
        withModels(),
        withModels('o3'),
        withModels('gpt-4', 'o3'),
        withModels(null),
        withModels(4),
        withModels('gpt-\ud800'),
        withModels(`gpt-${'a'.repeat(256)}`),
        withModels(...Array.from({ length: 65 }, (_, index) => `gpt-${index}`)),
      ],
      code: 'model_not_granted',
    },
  ],
})
