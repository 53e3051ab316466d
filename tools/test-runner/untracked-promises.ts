import async_hooks from 'node:async_hooks';

// Node's test runner follows each promise to the test that it belongs to, which is a sixth of the time of a test that plays thousands of
// requests. A promise that nobody handles still fails its file, and is shown; only the name of its test is missing.
const { createHook } = async_hooks;
async_hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
