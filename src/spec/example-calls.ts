/** Calls as specs write them, for messages and pages: each is about the operations of this service. */
export const exampleCalls = {
  read: 'friends.listBlocked()',
  change: 'friends.block({ friendId: friend.id })',
  undo: 'friends.unblock({ friendId: friend.id })',
  misspelt: 'friends.blok(…)',
  wrongField: 'friends.block({ friend: friend.id })',
  emptyParameter: "storage.deleteItem({ id: '' })",
  known: 'profile.readProfile(…)',
} as const;
