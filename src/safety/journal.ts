import { randomUUID } from 'node:crypto';
import { FileTrouble, unlessFileTrouble } from '../environment/files/index.ts';
import type { Named } from '../environment/index.ts';
import { SuiteFault } from '../verdict/index.ts';
import { isRedo, type Pending, type Recorded, type ReversibleChange, undoes } from './changes.ts';
import { JournalFile, journalFolder } from './journal-file.ts';
import { type Line, stateLine, type UndoState } from './journal-lines.ts';
import type { Leftover } from './leftovers.ts';
import { type SharedUsers, usersOf } from './lock/users-lock.ts';

/** The undo of a change could not be recorded, so the change was not made. */
export class JournalFailed extends SuiteFault {
  override readonly name = 'JournalFailed';
}

interface OwnChange extends Pending {
  isAccepted: boolean;
  isUndone: boolean;
  isUndoSent: boolean;
  at: string;
  /** From then on an undo that is sent may take it back. */
  isSent: boolean;
}

/**
 * The undo journal of one scenario: a file that exists from the first change until nothing is left to undo. The sweep undoes the changes that
 * are still in it at the end, as it does after a killed run. Changes that earlier runs left are struck here, too, when this scenario undoes them.
 */
export class Journal {
  readonly #folder: string;
  readonly #users: string;
  readonly #own = new Map<string, OwnChange>();
  readonly #left: Map<string, Leftover>;
  /** Also those that are struck since. */
  readonly #made: ReversibleChange[] = [];
  #file: JournalFile | undefined;
  #isOver = false;

  constructor(environment: SharedUsers & Named, left: readonly Leftover[] = []) {
    this.#folder = journalFolder(environment);
    this.#users = usersOf(environment);
    this.#left = new Map(left.map((each) => [each.id, each]));
  }

  /** When it resolves, the record survives a kill and a power cut: the change may be sent. @throws JournalFailed */
  async add(change: ReversibleChange): Promise<Recorded> {
    // A clean-up that was given up may go on.
    if (this.#isOver) throw new JournalFailed(`${change.change} was not sent: its scenario is over`);
    this.#made.push(change);
    const entry: Recorded = { id: randomUUID(), ...change, at: new Date().toISOString() };
    try {
      this.#file ??= new JournalFile(this.#folder, this.#users);
      this.#own.set(entry.id, { ...entry, isSent: false, isAccepted: false, isUndone: false, isUndoSent: false });
      this.#file.write({ entry });
      await this.#file.flush();
      return entry;
    } catch (error) {
      this.strike(entry.id, 'not sent');
      if (!(error instanceof FileTrouble)) throw error;
      throw new JournalFailed(`${change.change} was not sent: its undo could not be written. ${error.message}`);
    }
  }

  /** `isAnswered`: it had a response, so it is not on its way any more. */
  made(id: string, isAccepted: boolean, isAnswered = isAccepted): void {
    const own = this.#own.get(id);
    if (!own) return;
    own.isSent = true;
    own.isAccepted = isAccepted;
    if (isAnswered) this.#note(isAccepted ? { accepted: id } : { answered: id });
  }

  /** The undo was accepted: the change is kept until a list shows that it worked. */
  undone(id: string): void {
    this.#left.get(id)?.note('undone');
    const own = this.#own.get(id);
    if (!own) return;
    own.isUndone = true;
    this.#note({ undone: id });
  }

  /** The undo is sent next, or had a response that leaves the change in the journal. */
  undoState(id: string, state: Exclude<UndoState, 'undone'>): void {
    this.#left.get(id)?.note(state);
    const own = this.#own.get(id);
    if (!own) return;
    own.isUndoSent = state !== 'notUndone';
    this.#note(stateLine(state, id));
  }

  /** The recorded change is sent once more: until its response, it may be on its way. */
  again(id: string): void {
    const own = this.#own.get(id);
    if (!own) return;
    Object.assign(own, { isAccepted: false, at: new Date().toISOString() });
    this.#note({ entry: own });
  }

  /** The undo was seen to have worked, or the change was never made. */
  strike(id: string, because: string): void {
    this.#left.get(id)?.strike(because);
    this.#left.delete(id);
    if (this.#own.delete(id)) this.#note({ struck: id, because });
  }

  has(id: string): boolean {
    return this.#own.has(id) || this.#left.has(id);
  }

  /** The scenario's changes, newest first. */
  own(): Pending[] {
    return [...this.#own.values()].reverse();
  }

  /** The changes that earlier scenarios and runs left, newest first. */
  left(): Pending[] {
    return [...this.#left.values()];
  }

  /** The changes in `left`, without those that this scenario has made as well. */
  untouched(): Pending[] {
    return this.left().filter((each) => !this.#made.some((own) => undoes(own, each)));
  }

  /** All changes that were sent, so that an undo which is sent now covers them. */
  sent(): Pending[] {
    return [...[...this.#own.values()].filter(({ isSent }) => isSent), ...this.#left.values()];
  }

  /**
   * Leaves what could not be undone to the sweep. One of several equal changes represents all: while an undo is refused, each run would add
   * some.
   */
  end(): void {
    const own = [...this.#own.values()].filter((each) => !isRedo(each));
    for (const [index, known] of own.entries()) {
      const equal = [...own.slice(0, index), ...this.#left.values()].filter((each) => undoes(each, known));
      for (const each of equal) {
        if (each.isAccepted) this.made(known.id, true);
        this.strike(each.id, 'left again');
      }
    }
    this.#isOver = true;
    this.#file?.close(this.#own.size > 0);
  }

  /** A line that is lost on a full disk means that a change is undone again later. */
  #note(line: Line): void {
    unlessFileTrouble(() => this.#file?.write(line));
  }
}
