/** What is said of a scenario in an incident, by what that is about. */
export const familyTexts = {
  down: { began: 'went down', lasting: 'been failing', ended: 'is back' },
  skipped: { began: 'can no longer run', lasting: 'not run', ended: 'can run again' },
  unjudged: { began: "can't be judged", lasting: 'not been judged', ended: 'can be judged again' },
} as const;
