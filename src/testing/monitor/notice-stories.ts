import { areaIds } from '../../service/index.ts';

/**
 * Stories, one for each kind of notice in singular and in plural: events, and the notices that the monitor then sends. `testStories` plays
 * them, and docs/notices.md shows them.
 */
export const noticeStories = `
One operation fails
staging at *.your.org; block, list, unblock in friends
staging/friends/block 0–30 500
→ 0 down: staging: Friends: block answers 500 (1 scenario)
→ 20 still: staging: Friends: block answers 500 (1 scenario), for 20 min
→ 30 up: staging: "block" has recovered in Friends after 30 min

The same in more scenarios, of which one recovers before the rest
staging at *.your.org; block, list, unblock in friends
staging/friends/block 0–30 500; staging/friends/list 0–5 500; staging/friends/unblock 2–30 500
→ 0 down: staging: Friends: block answers 500 (2 scenarios)
→ 20 still: staging: Friends: block answers 500 (2 scenarios), for 20 min; "list" has recovered
→ 30 up: staging: 3 scenarios have recovered in Friends after 30 min

A change that never shows
staging at *.your.org; block, list in friends
staging/friends 0–30 swallowed
→ 0 down: staging: Friends: unblock is accepted and never shows in listBlocked (2 scenarios)
→ 20 still: staging: Friends: unblock is accepted and never shows in listBlocked (2 scenarios), for 20 min
→ 30 up: staging: 2 scenarios have recovered in Friends after 30 min

One address answers with errors, then another one
staging at *.your.org; block in friends; love in stories
staging/friends 0–15 503; staging/stories 5–15 503
→ 0 down: staging: Friends answers 503
→ 5 more: staging: Friends and Stories answer 503; 2 scenarios in all
→ 15 up: staging: Friends and Stories work again after 15 min

Every address answers with errors
staging at api.your.org; block in friends; love in stories
staging 0–30 503
→ 0 down: staging: ALL areas answer 503
→ 20 still: staging: ALL areas answer 503, for 20 min
→ 30 up: staging: ALL areas work again after 30 min

Nothing listens at one address, then at two
staging at *.your.org; block in friends; love in stories
staging/friends 0–15 refused; staging/stories 5–15 refused
→ 0 down: staging: friends.your.org can't be reached: connection refused (Friends)
→ 5 more: staging: 2 hosts can't be reached: connection refused (Friends and Stories); 2 scenarios in all
→ 15 up: staging: 2 hosts can be reached again after 15 min

Nothing listens at a host that two environments share
staging, production at api.your.org; block in friends; love in stories
staging 0–30 refused; production 5–30 refused
→ 0 down: staging: api.your.org can't be reached: connection refused
→ 5 more: production: api.your.org can't be reached: connection refused; staging is still down
→ 25 still: staging and production: api.your.org can't be reached: connection refused, for 25 min
→ 30 up: staging and production: api.your.org can be reached again after 30 min

Nothing listens at a host that four environments share
qa-1, qa-2, qa-3, qa-4 at qa.your.org; block in friends
qa-1 0–10 refused; qa-2 0–10 refused; qa-3 0–10 refused; qa-4 0–10 refused
→ 0 down: qa-1, qa-2 and 2 more environments: qa.your.org can't be reached: connection refused
→ 10 up: qa-1, qa-2 and 2 more environments: qa.your.org can be reached again after 10 min

A host accepts connections, and is silent
staging at *.your.org; block in friends
staging/friends 0–30 silent
→ 0 down: staging: Friends doesn't respond (timed out after 10 s)
→ 20 still: staging: Friends doesn't respond (timed out after 10 s), for 20 min
→ 30 up: staging: Friends responds again after 30 min

A certificate has expired
staging at api.your.org; block in friends
staging 0–30 expired
→ 0 down: staging: api.your.org can't be reached: the certificate has expired
→ 20 still: staging: api.your.org can't be reached: the certificate has expired, for 20 min
→ 30 up: staging: api.your.org can be reached again after 30 min

A proxy in front of a host denies every request
staging at api.your.org; block in friends; love in stories
staging 0–30 denied
→ 0 down: staging: api.your.org can't be reached: an Envoy proxy (RBAC) in front of the service denies the request
→ 20 still: staging: api.your.org can't be reached: an Envoy proxy (RBAC) in front of the service denies the request, for 20 min
→ 30 up: staging: api.your.org can be reached again after 30 min

A token is refused in one area, in two, and in three
staging at *.your.org; block in friends; love in stories; update in profile
staging/friends 0–5 401; staging/friends 10–15 401; staging/stories 10–15 401; staging 20–45 401
→ 0 down: staging: ACCESS_TOKEN is refused (401) in Friends
→ 5 up: staging: ACCESS_TOKEN is accepted again after 5 min
→ 10 down: staging: ACCESS_TOKEN is refused (401) in Friends and Stories
→ 15 up: staging: ACCESS_TOKEN is accepted again after 5 min
→ 20 down: staging: ACCESS_TOKEN is refused (401) in ALL areas
→ 40 still: staging: ACCESS_TOKEN is refused (401) in ALL areas, for 20 min

What a scenario needs is used up, then what another one needs
staging at *.your.org; block in friends; love in stories
staging/friends 1–30 skipped; staging/stories 3–35 skipped
→ 1 down: staging: "block" can't be judged in Friends: needs a stored item
→ 3 more: staging: "love" can't be judged in Stories: needs a stored item; 2 scenarios in all
→ 35 up: staging: 2 scenarios can be judged again in Friends and Stories after 34 min

Nothing can be judged
staging at *.your.org; block in friends; love in stories
staging/friends/block 0–30 unknown; staging/stories/love 0–30 unknown
→ 15 down: staging: 2 scenarios can't be judged in Friends and Stories: the suite could not judge: throttled (429)
→ 30 up: staging: 2 scenarios can be judged again in Friends and Stories after 30 min

A recovery that nobody saw begin
staging at *.your.org; block in friends
staging/friends 5–10 500; staging/friends 10–19 unseen
→ 5 down: staging: Friends answers 500
→ 19 up: staging: Friends works again after at most 14 min

A scenario recovers and fails again, then another one does
staging at *.your.org; block, list in friends
staging/friends/block 0–7 500; staging/friends/list 0–5 500; staging/friends/list 6–30 500
→ 0 down: staging: Friends: block answers 500 (2 scenarios)
→ 20 still: staging: Friends: block answers 500 (1 scenario), for 14 min; "block" has recovered
→ 30 up: staging: 2 scenarios have recovered in Friends after 30 min

A scenario is renamed while it is down
staging at *.your.org; block, list in friends
staging/friends/block 0–20 500; staging/friends/block 5–40 unchosen; staging/friends/list 0–15 500
→ 0 down: staging: Friends: block answers 500 (2 scenarios)
→ 15 up: staging: "list" has recovered in Friends after 15 min; "block" is no longer monitored
`;

/**
 * The stories of a text, separated by empty lines. Each has a name, lines with events, and a line with `→` for each
 * notice.
 */
export function storiesIn(text: string) {
  const stories = text.replaceAll('ALL', String(areaIds.length)).trim().split('\n\n');
  return stories.map((story) => {
    const [name = '', ...lines] = story.split('\n');
    const expected = lines.filter((line) => line.startsWith('→ ')).map((line) => line.slice(2));
    return { name, expected, happens: lines.filter((line) => !line.startsWith('→ ')).join('; ') };
  });
}
