/** The path of a Node that runs TypeScript: this one, or the packaged one; `undefined` if there is neither. */
export function nativeNode(): string | undefined;
/** The message for users who have neither. */
export const NO_NATIVE_NODE: string;
