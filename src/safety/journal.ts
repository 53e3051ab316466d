import { randomUUID } from 'node:crypto';
import { FileTrouble, unlessFileTrouble } from '../environment/files/index.ts';
import type { Named } from '../environment/index.ts';
import { SuiteFault } from '../verdict/index.ts';
import { isRedo, type Pending, type Recorded, type ReversibleChange, undoes } from './changes.ts';
import { JournalFile, type JournalFiles, journalFolder } from './journal-file.ts';
import { type Line, stateLine, type UndoState } from './journal-lines.ts';
import type { Leftover } from './leftovers.ts';
import { type SharedUsers, usersOf } from './lock/users-lock.ts';

/** The undo of a change could not be recorded, so the change was not sent. */
export class JournalFailed extends SuiteFault {
  override readonly name = 'JournalFailed';
}

interface OwnChange extends Pending {
  isAccepted: boolean;
  isUndone: boolean;
  isUndoSent: boolean;
  at: string;
  /** True once the request of the change has ended. An undo that is sent after that also undoes this change. */
  isSent: boolean;
}

/**
 * The undo journal of one scenario: a file that exists from the first change until nothing is left to undo. If changes are still in the
 * file at the end of the run, or after the run was killed, the sweep undoes them. If this scenario undoes a change that an earlier run
 * left, this class removes that change from the earlier journal.
 */
export class Journal {
  readonly #folder: string;
  readonly #users: string;
  readonly #own = new Map<string, OwnChange>();
  readonly #left: Map<string, Leftover>;
  readonly #files: JournalFiles | undefined;
  /** All changes of the scenario, including those that `strike` has removed. */
  readonly #made: ReversibleChange[] = [];
  #file: JournalFile | undefined;
  #isOver = false;

  /** `files` are those of the run; if absent, the journal creates a file, and removes it. */
  constructor(environment: SharedUsers & Named, left: readonly Leftover[] = [], files?: JournalFiles) {
    this.#folder = journalFolder(environment);
    this.#users = usersOf(environment);
    this.#left = new Map(left.map((each) => [each.id, each]));
    this.#files = files;
  }

  /** Records a change. Once this resolves, the record survives a kill and a power cut, so the change may be sent. @throws JournalFailed */
  async add(change: ReversibleChange): Promise<Recorded> {
    // An aborted clean-up may still be running after the scenario has ended.
    if (this.#isOver) throw new JournalFailed(`${change.change} was not sent: its scenario is over`);
    this.#made.push(change);
    const entry: Recorded = { id: randomUUID(), ...change, at: new Date().toISOString() };
    try {
      this.#file ??= this.#files?.take(this.#folder, this.#users) ?? new JournalFile(this.#folder, this.#users);
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

  /** Notes how the request of a change ended. `isAnswered`: it had a response, so the change can't arrive later. */
  made(id: string, isAccepted: boolean, isAnswered = isAccepted): void {
    const own = this.#own.get(id);
    if (!own) return;
    own.isSent = true;
    own.isAccepted = isAccepted;
    if (isAnswered) this.#note(isAccepted ? { accepted: id } : { answered: id });
  }

  /** Notes that the undo was accepted. The change stays in the journal until a list confirms the undo. */
  undone(id: string): void {
    this.#left.get(id)?.note('undone');
    const own = this.#own.get(id);
    if (!own) return;
    own.isUndone = true;
    this.#note({ undone: id });
  }

  /**
   * Notes the state of an undo that was not accepted: the undo is about to be sent, or it ended without success, so the change stays in the
   * journal.
   */
  undoState(id: string, state: Exclude<UndoState, 'undone'>): void {
    this.#left.get(id)?.note(state);
    const own = this.#own.get(id);
    if (!own) return;
    own.isUndoSent = state !== 'notUndone';
    this.#note(stateLine(state, id));
  }

  /** Notes that a recorded change is sent again. Until its response comes, the request may still be on its way. */
  again(id: string): void {
    const own = this.#own.get(id);
    if (!own) return;
    Object.assign(own, { isAccepted: false, at: new Date().toISOString() });
    this.#note({ entry: own });
  }

  /** Removes a change from the journal, because its undo worked or the change was never made. */
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

  /** Like `left`, but without changes that are equal to one that this scenario made. */
  untouched(): Pending[] {
    return this.left().filter((each) => !this.#made.some((own) => undoes(own, each)));
  }

  /** All changes whose requests have ended, so that an undo that is sent now undoes them. */
  sent(): Pending[] {
    return [...[...this.#own.values()].filter(({ isSent }) => isSent), ...this.#left.values()];
  }

  /**
   * Closes the journal. The sweep undoes the changes that are left in it. Of several equal changes, only one stays in a journal. Otherwise,
   * while the service refuses their undo, each run would leave one more of them.
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
    const isKept = this.#own.size > 0;
    if (!this.#file) return;
    if (this.#files) this.#files.giveBack(this.#file, isKept);
    else this.#file.close(isKept);
  }

  /** Writes a line. If the disk is full and the line is lost, a later run merely undoes a change again. */
  #note(line: Line): void {
    unlessFileTrouble(() => this.#file?.write(line));
  }
}
