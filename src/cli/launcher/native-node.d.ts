/** The path of a Node that runs TypeScript: this one, else the packaged one; `undefined` where there is neither. */
export function nativeNode(): string | undefined;
/** The message for a user who has neither. */
export const NO_NATIVE_NODE: string;
