import type { Outgoing } from './serve.ts';

const HAL = 'application/hal+json';

/** The blocks or loves of a user. */
export interface Entity {
  readonly owner: string;
  readonly target: string;
  readonly createdAt: string;
}

export const link = (kind: string, id: string) => ({ href: `/${kind}/${encodeURIComponent(id.toWellFormed())}` });
export const resource = (status: number, self: { href: string }, rest: object = {}): Outgoing => ({
  status,
  type: HAL,
  body: JSON.stringify({ ...rest, _links: { self } }),
});

export class Repository {
  readonly #all: Entity[] = [];

  find(owner: string, target: string): Entity | undefined {
    return this.#all.find((each) => each.owner === owner && each.target === target);
  }

  save(owner: string, target: string): Entity {
    const entity = { owner, target, createdAt: new Date().toISOString() };
    this.#all.push(entity);
    return entity;
  }

  remove(entity: Entity): void {
    this.#all.splice(this.#all.indexOf(entity), 1);
  }

  ownedBy(owner: string): Entity[] {
    return this.#all.filter((each) => each.owner === owner);
  }

  aimedAt(target: string): Entity[] {
    return this.#all.filter((each) => each.target === target);
  }
}
